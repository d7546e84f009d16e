import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { RepetitionGuard } from './repetition-guard.js';

/** Characters of `text` that are let through in pieces of `size`; null when all are. */
function endsAfter(text: string, size: number): number | null {
  const guard = new RepetitionGuard();
  for (let at = 0; at < text.length; at += size) {
    if (!guard.admit(text.slice(at, at + size))) return at + size;
  }
  return null;
}

describe('RepetitionGuard', () => {
  it('ends a text that says the same for ever, however it came to that', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 1_000 }),
        fc.string({ maxLength: 3_000 }),
        fc.integer({ min: 1, max: 5_000 }),
        (passage, before, size) => {
          const endless = before + passage.repeat(Math.ceil(30_000 / passage.length));
          const end = endsAfter(endless, size);
          expect(end).not.toBeNull();
          expect(end).toBeLessThan(before.length + 8_192 + 2 * Math.max(1_024, size));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('lets a long text go on that repeats only some of itself', () => {
    const lines = Array.from({ length: 4_000 }, (_, row) => `| ${row} | --- | --- |\n`);
    expect(endsAfter(lines.join(''), 17)).toBeNull();
    expect(endsAfter(`${'='.repeat(8_000)}\nDone.\n`.repeat(3), 64)).toBeNull();
  });
});
