import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { mostTokens, TokenCounter } from './token-counter.js';

const MIB = 1024 * 1024;

describe('TokenCounter', () => {
  const counter = new TokenCounter();

  it('counts as the encoding does, and never more tokens than bytes', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const tokens = await counter.count(content);
        expect(tokens).toBe(countTokens(content, { disallowedSpecial: new Set() }));
        expect(tokens).toBeLessThanOrEqual(mostTokens(content));
      }),
    );
  });

  it('takes the marks of models for text', async () => {
    expect(await counter.count('<|endoftext|>')).toBeGreaterThan(1);
  });

  /* A run of one letter takes the encoding quadratic time: uncut, these would take hours. */
  it.each([
    ['one letter', 'a', MIB],
    ['Chinese', '中', MIB],
    ['spaces', ' ', MIB],
    ['emoji', '👨‍👩‍👧', MIB / 8],
  ])('counts a MiB of %s', async (_what, letter, times) => {
    const piece = await counter.count(letter.repeat(256));
    const tokens = await counter.count(letter.repeat(times));
    expect(tokens).toBeGreaterThan(0.5 * piece * (times / 256));
    expect(tokens).toBeLessThan(1.5 * piece * (times / 256));
  });

  it('lets others have their turn while it counts a long text', async () => {
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    await counter.count('long text '.repeat(MIB / 10));
    clearInterval(others);
    expect(turns).toBeGreaterThan(0);
  });
});
