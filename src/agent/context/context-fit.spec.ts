import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fitContext, type Fit, type SizedGroup } from './context-fit.js';

const groups: fc.Arbitrary<SizedGroup[]> = fc.array(
  fc.oneof(
    fc.record({
      role: fc.constant('user' as const),
      tokens: fc.integer({ min: 1, max: 60 }),
      results: fc.constant([]),
    }),
    fc.record({
      role: fc.constant('assistant' as const),
      tokens: fc.integer({ min: 1, max: 60 }),
      results: fc.array(fc.record({ extra: fc.nat(200) }), { maxLength: 3 }),
    }),
  ),
  { maxLength: 14 },
);
const budget = fc.nat(1500);

/** Every thing that is shown, and in which form. */
function sights(all: SizedGroup[], fit: Fit): Set<string> {
  const short = new Set(fit.shortened.map(([group, result]) => `${group}.${result}`));
  return new Set(
    fit.shown.flatMap((place) => [
      `${place}`,
      ...(all[place]?.results ?? []).flatMap((_result, index) =>
        short.has(`${place}.${index}`) ? [] : [`${place}.${index} in full`],
      ),
    ]),
  );
}

describe('fitContext', () => {
  it('stays in its budget, says truly how much it takes, and keeps the order', () => {
    fc.assert(
      fc.property(groups, budget, (all, room) => {
        const fit = fitContext(all, room);
        if (!fit) return;
        expect(fit.tokens).toBeLessThanOrEqual(room);
        const short = new Set(fit.shortened.map(([group, result]) => `${group}.${result}`));
        let tokens = 0;
        for (const place of fit.shown) {
          tokens += all[place]?.tokens ?? 0;
          for (const [index, { extra }] of (all[place]?.results ?? []).entries()) {
            if (!short.has(`${place}.${index}`)) tokens += extra;
          }
        }
        expect(fit.tokens).toBe(tokens);
        expect(fit.shown).toEqual([...new Set(fit.shown)].toSorted((a, b) => a - b));
      }),
    );
  });

  it('begins with a user, and always has the newest user message or says that it cannot', () => {
    fc.assert(
      fc.property(groups, budget, (all, room) => {
        const fit = fitContext(all, room);
        const newest = all.findLastIndex((group) => group.role === 'user');
        if (newest === -1) expect(fit?.shown).toEqual([]);
        else if (fit) {
          expect(fit.shown).toContain(newest);
          expect(all[fit.shown[0] ?? -1]?.role).toBe('user');
        } else expect(all[newest]?.tokens).toBeGreaterThan(room);
      }),
    );
  });

  it('never shows less for a larger budget', () => {
    fc.assert(
      fc.property(groups, budget, fc.nat(300), (all, room, more) => {
        const small = fitContext(all, room);
        const large = fitContext(all, room + more);
        if (!small) return;
        expect(large).not.toBeNull();
        if (!large) return;
        const seen = sights(all, large);
        for (const sight of sights(all, small)) expect(seen).toContain(sight);
      }),
      { numRuns: 500 },
    );
  });

  it('shows everything in full when that fits', () => {
    fc.assert(
      fc.property(groups, (rest) => {
        const all: SizedGroup[] = [{ role: 'user', tokens: 1, results: [] }, ...rest];
        const whole = all.reduce(
          (sum, { tokens, results }) =>
            sum + tokens + results.reduce((extra, result) => extra + result.extra, 0),
          0,
        );
        expect(fitContext(all, whole)).toEqual({
          shown: [...all.keys()],
          shortened: [],
          tokens: whole,
        });
      }),
    );
  });

  it('shortens the oldest results first, and leaves out the oldest messages first', () => {
    const all: SizedGroup[] = [
      { role: 'user', tokens: 10, results: [] },
      { role: 'assistant', tokens: 10, results: [{ extra: 50 }] },
      { role: 'user', tokens: 10, results: [] },
      { role: 'assistant', tokens: 10, results: [{ extra: 30 }, { extra: 30 }] },
      { role: 'user', tokens: 10, results: [] },
    ];
    expect(fitContext(all, 110)).toEqual({
      shown: [0, 1, 2, 3, 4],
      shortened: [[1, 0]],
      tokens: 110,
    });
    expect(fitContext(all, 80)).toEqual({ shown: [2, 3, 4], shortened: [[3, 0]], tokens: 60 });
    expect(fitContext(all, 30)).toMatchObject({ shown: [4], tokens: 10 });
    expect(fitContext(all, 9)).toBeNull();
  });

  it('keeps the question before what a long run did about it', () => {
    const call = (): SizedGroup => ({ role: 'assistant', tokens: 20, results: [{ extra: 80 }] });
    const all: SizedGroup[] = [{ role: 'user', tokens: 10, results: [] }, call(), call(), call()];
    expect(fitContext(all, 60)).toEqual({
      shown: [0, 3],
      shortened: [[3, 0]],
      tokens: 30,
    });
  });
});
