import { describe, expect, it } from '@jest/globals';
import { afterRows, pageStart } from './page-skip.js';

describe('a cursor in the middle of a page', () => {
  it.each([
    [undefined, { cursor: undefined, skip: 0 }],
    ['abc', { cursor: 'abc', skip: 0 }],
    ['~20', { cursor: undefined, skip: 20 }],
    ['abc~20', { cursor: 'abc', skip: 20 }],
    ['abc~200', { cursor: 'abc', skip: 200 }],
    // Left to be refused: they are no cursors either.
    ['abc~201', { cursor: 'abc~201', skip: 0 }],
    ['abc~0', { cursor: 'abc~0', skip: 0 }],
    ['~-1', { cursor: '~-1', skip: 0 }],
    ['', { cursor: '', skip: 0 }],
  ])('%j begins at %j', (cursor, start) => {
    expect(pageStart(cursor)).toEqual(start);
  });

  it('adds up', () => {
    expect(afterRows(undefined, 20)).toBe('~20');
    expect(afterRows('abc', 20)).toBe('abc~20');
    expect(afterRows(afterRows('abc', 20), 20)).toBe('abc~40');
  });
});
