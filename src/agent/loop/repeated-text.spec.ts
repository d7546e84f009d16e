import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { RepeatedText } from './repeated-text.js';

/** Few letters, so that one text often begins like the other. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', '中', '👋'), maxLength: 12 });
const cuts = fc.array(fc.nat(24), { maxLength: 6 });

/** `whole` cut at the places of `at`, empty pieces included. */
function split(whole: string, at: number[]): string[] {
  const places = at.map((place) => Math.min(place, whole.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => whole.slice(from, places[index] ?? whole.length));
}

/** What clients have at the end: the first message, and the second where there is one. */
function shown(said: string, pieces: string[]): { first: string; second: string | null } {
  const repeated = new RepeatedText(said);
  let first = said;
  let second: string | null = null;
  let settled = false;
  for (const piece of pieces) {
    if (settled) {
      if (second === null) first += piece;
      else second += piece;
      continue;
    }
    const found = repeated.push(piece);
    if (found.kind === 'repeats') continue;
    settled = true;
    if (found.kind === 'goes_on') first += found.text;
    else second = found.text;
  }
  if (!settled && !repeated.isWhole) second = pieces.join('');
  return { first, second };
}

describe('RepeatedText', () => {
  it('shows a text that goes on as one message, and any other as a second one', () => {
    fc.assert(
      fc.property(text, text, cuts, (said, again, at) => {
        expect(shown(said, split(again, at))).toEqual(
          again.startsWith(said) ? { first: again, second: null } : { first: said, second: again },
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows nothing twice when the new text goes on, however it is cut', () => {
    fc.assert(
      fc.property(text, text, cuts, (said, rest, at) => {
        expect(shown(said, split(said + rest, at))).toEqual({ first: said + rest, second: null });
      }),
    );
  });

  it('takes a text that ends too early for another one', () => {
    const repeated = new RepeatedText('Hello, Amy');
    expect(repeated.push('Hello')).toEqual({ kind: 'repeats' });
    expect(repeated.isWhole).toBe(false);
    expect(repeated.push(', A')).toEqual({ kind: 'repeats' });
    expect(repeated.push('nn')).toEqual({ kind: 'differs', text: 'Hello, Ann' });
  });
});
