import { describe, expect, it } from '@jest/globals';
import { nearest } from './nearest.js';

describe('nearest', () => {
  it.each([
    ['titel', 'title'],
    ['raed', 'read'],
    ['startAt', 'start_at'],
    ['titles', 'title'],
    ['zzzz', undefined],
    ['daer', undefined],
  ])('%s is meant as %s', (name, meant) => {
    expect(nearest(name, ['title', 'read', 'start_at'])).toBe(meant);
  });
});
