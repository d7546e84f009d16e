import { describe, expect, it } from '@jest/globals';
import { canonicalZone, zoneFault } from './zone.js';

describe('names of zones', () => {
  it.each([
    ['China Standard Time', 'Asia/Shanghai'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['Pacific Standard Time', 'America/Los_Angeles'],
    ['asia/shanghai', 'Asia/Shanghai'],
    ['UTC', 'UTC'],
    ['+08:00', null],
    ['Middle Earth Standard Time', null],
    ['', null],
    ['x'.repeat(1_000), null],
  ])('reads %s as %s', (name, zone) => {
    expect(canonicalZone(name)).toBe(zone);
  });

  it.each([
    ['Asia/Shangai', 'Asia/Shanghai'],
    ['Europe/Berln', 'Europe/Berlin'],
    ['Beijing', 'Asia/Shanghai'],
    ['北京', 'Asia/Shanghai'],
    ['Berlin', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
  ])('suggests for %s: %s', (name, zone) => {
    expect(zoneFault(name)).toContain(`Did you mean ${zone}?`);
  });

  it.each(['Atlantis', 'qqqqqqqqqq', '', 7])('suggests nothing for %s', (name) => {
    expect(zoneFault(name)).toBe('is not a time zone.');
  });
});
