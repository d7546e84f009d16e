import { describe, expect, it } from '@jest/globals';
import { TokenMeter } from './token-meter.js';
import { readUsage } from './usage-reader.js';

describe('TokenMeter', () => {
  const one = { provider: 'deepseek', name: 'chat' };
  const other = { provider: 'ollama', name: 'small' };

  it('adds up turns, in all and for each model, and keeps apart what nobody said', () => {
    const meter = new TokenMeter();
    expect(meter.usage).toBeNull();
    meter.add(one, { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 });
    meter.add(other, { inputTokens: 7, outputTokens: 1, reasoningTokens: 1 });
    meter.add(one, { inputTokens: 20, outputTokens: 3, cachedInputTokens: 0 });
    meter.addEstimate(100);
    expect(meter.usage).toEqual({
      inputTokens: 37,
      outputTokens: 6,
      cachedInputTokens: 4,
      reasoningTokens: 1,
      models: [
        {
          provider: 'deepseek',
          model: 'chat',
          inputTokens: 30,
          outputTokens: 5,
          cachedInputTokens: 4,
        },
        { provider: 'ollama', model: 'small', inputTokens: 7, outputTokens: 1, reasoningTokens: 1 },
      ],
    });
    expect(meter.spent).toBe(143);
  });

  it('counts no further than whole numbers go, whatever a model reports', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const meter = new TokenMeter();
    const counts = { inputTokens: most, outputTokens: most, reasoningTokens: most };
    meter.add(one, counts);
    meter.add(one, counts);
    meter.addEstimate(most);
    expect(meter.usage).toMatchObject({ ...counts, models: [counts] });
    expect(meter.spent).toBe(most);
    const beside = { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: most } };
    expect(readUsage(beside)).toMatchObject({ outputTokens: most });
  });

  it('goes on from what was stored', () => {
    const meter = new TokenMeter();
    meter.add(one, { inputTokens: 10, outputTokens: 2 });
    meter.addEstimate(30);
    const next = new TokenMeter(meter.counted);
    next.add(one, { inputTokens: 1, outputTokens: 1 });
    expect(next.spent).toBe(44);
    expect(next.usage).toMatchObject({ inputTokens: 11, models: [{ inputTokens: 11 }] });
    expect(meter.usage).toMatchObject({ inputTokens: 10, models: [{ inputTokens: 10 }] });
  });
});

describe('readUsage', () => {
  it.each<[unknown, object | null]>([
    [null, null],
    [{ prompt_tokens: 0, completion_tokens: 0 }, null],
    [{ prompt_tokens: 1.5, completion_tokens: '3' }, null],
    [{ prompt_tokens: 3 }, { inputTokens: 3, outputTokens: 0 }],
    [
      {
        prompt_tokens: 3,
        completion_tokens: 4,
        completion_tokens_details: { reasoning_tokens: 9 },
      },
      { inputTokens: 3, outputTokens: 13, reasoningTokens: 9 },
    ],
    [
      { prompt_tokens: 3, completion_tokens: 4, prompt_tokens_details: null, cached_tokens: 2 },
      { inputTokens: 3, outputTokens: 4, cachedInputTokens: 2 },
    ],
  ])('reads %j', (usage, expected) => {
    expect(readUsage(usage)).toEqual(expected);
  });
});
