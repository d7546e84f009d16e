import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { clipped, merged, slotsIn, without, type Interval } from './intervals.js';
import { workingIntervals } from './working-hours.js';

const interval: fc.Arbitrary<Interval> = fc
  .record({ from: fc.nat(200), length: fc.nat(40) })
  .map(({ from, length }) => ({ from, to: from + length }));
const intervals = fc.array(interval, { maxLength: 12 });

/** Every point of time that the intervals cover: what they mean. */
const points = (list: Interval[]) =>
  new Set(list.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)));
const sorted = (set: Set<number>) => [...set].sort((a, b) => a - b);

describe('intervals', () => {
  it('merging keeps every point, in order and apart', () => {
    fc.assert(
      fc.property(intervals, (list) => {
        const result = merged(list);
        expect(sorted(points(result))).toEqual(sorted(points(list)));
        for (const [index, { from, to }] of result.entries()) {
          expect(from).toBeLessThan(to);
          expect(from).toBeGreaterThan(result[index - 1]?.to ?? -1);
        }
      }),
    );
  });

  it('taking away leaves exactly what is in one and not in the other', () => {
    fc.assert(
      fc.property(intervals, intervals, (list, removed) => {
        const gone = points(removed);
        const expected = sorted(points(list)).filter((point) => !gone.has(point));
        const result = without(merged(list), merged(removed));
        expect(sorted(points(result))).toEqual(expected);
        expect(merged(result)).toEqual(result);
      }),
    );
  });

  it('clipping leaves what is in the window', () => {
    fc.assert(
      fc.property(intervals, interval, (list, window) => {
        const expected = sorted(points(list)).filter(
          (point) => point >= window.from && point < window.to,
        );
        expect(sorted(points(clipped(merged(list), window)))).toEqual(expected);
      }),
    );
  });

  it('slots are free, on the grid, apart, and the earliest', () => {
    fc.assert(
      fc.property(
        intervals,
        fc.integer({ min: 1, max: 15 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 6 }),
        (list, length, grid, limit) => {
          const free = merged(list);
          const slots = slotsIn(free, length, grid, limit);
          const open = points(free);
          let end = 0;
          for (const { from, to } of slots) {
            expect(to - from).toBe(length);
            expect(from % grid).toBe(0);
            expect(from).toBeGreaterThanOrEqual(end);
            expect(sorted(points([{ from, to }])).every((point) => open.has(point))).toBe(true);
            end = to;
          }
          const earliest = Array.from({ length: 260 }, (_, at) => at).find(
            (at) =>
              at % grid === 0 &&
              Array.from({ length }, (_, more) => at + more).every((point) => open.has(point)),
          );
          expect(slots[0]?.from).toBe(earliest);
        },
      ),
    );
  });
});

describe('working hours', () => {
  const hours = { start: '09:00', end: '18:00', days: [1, 2, 3, 4, 5], zone: 'Europe/Berlin' };
  const shown = (list: Interval[]) =>
    list.map(({ from, to }) => [new Date(from).toISOString(), new Date(to).toISOString()]);

  it('stay at their local time when the clocks change, and leave out the weekend', () => {
    const window = {
      from: Date.parse('2026-03-27T12:00:00Z'),
      to: Date.parse('2026-03-30T12:00:00Z'),
    };
    expect(shown(workingIntervals(window, hours))).toEqual([
      ['2026-03-27T12:00:00.000Z', '2026-03-27T17:00:00.000Z'],
      ['2026-03-30T07:00:00.000Z', '2026-03-30T12:00:00.000Z'],
    ]);
  });

  it('of whole days have 23 hours where an hour is skipped', () => {
    const window = {
      from: Date.parse('2026-03-28T23:00:00Z'),
      to: Date.parse('2026-03-29T22:00:00Z'),
    };
    const all = { ...hours, start: '00:00', end: '24:00', days: [7] };
    expect(shown(workingIntervals(window, all))).toEqual([
      ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ]);
  });
});
