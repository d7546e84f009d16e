import { describe, expect, it } from '@jest/globals';
import { modelRequest } from '../../../test/support/ask-model.js';
import { ScriptedModel, says } from '../../../test/support/scripted-model.js';
import { StewardError, type ErrorDetails } from '../../common/steward-error.js';
import type { RunNotice } from '../../events/run-event.js';
import type { ChatChunk } from './chat-model.js';
import type {
  ModelFallback,
  ModelOutcome,
  ModelRequest,
} from '../../observability/model-telemetry.js';
import { RunModel } from './run-model.js';
import { TokenMeter } from './token-meter.js';

const failure = (
  code: 'DEPENDENCY_UNAVAILABLE' | 'RATE_LIMITED' | 'LIMIT_EXCEEDED',
  details: ErrorDetails = {},
) => new StewardError(code, 'no', details);
const DOWN = [failure('DEPENDENCY_UNAVAILABLE')];

/** A run's model with a fallback, what the person was told, and what the observer saw. */
function start({ fallback = false, maxAttempts = 3, baseMs = 1, maxMs = 50 } = {}) {
  const first = new ScriptedModel();
  const second = new ScriptedModel();
  const notices: RunNotice[] = [];
  const fallbacks: ModelFallback[] = [];
  const seen: (ModelRequest & Partial<ModelOutcome> & { tokens?: boolean })[] = [];
  const run = new RunModel(
    {
      models: fallback ? [first, second] : [first],
      retry: { maxAttempts, baseMs, maxMs },
      observer: {
        fellBack: (fallback) => fallbacks.push(fallback),
        start: (facts) => {
          const request: (typeof seen)[number] = { ...facts };
          seen.push(request);
          return {
            firstToken: () => (request.tokens = true),
            end: (outcome) => Object.assign(request, outcome),
          };
        },
      },
      meter: new TokenMeter(),
      estimate: (_request, said) => Promise.resolve(said.length),
      random: () => 0,
    },
    { runId: 'run_1', threadId: 'thr_1' },
  );
  const controller = new AbortController();
  const take = async (onNotice = (_notice: RunNotice): void => undefined) => {
    const chunks: ChatChunk[] = [];
    for await (const chunk of run.turn(modelRequest(), controller.signal)) {
      if (chunk.type !== 'restart') {
        chunks.push(chunk);
        continue;
      }
      notices.push(chunk.notice);
      onNotice(chunk.notice);
    }
    return chunks;
  };
  return { first, second, run, notices, fallbacks, seen, controller, take };
}

describe('RunModel', () => {
  it('asks again, tells each wait beforehand, and yields one turn', async () => {
    const { first, notices, seen, take } = start();
    first.turns = [DOWN, [failure('RATE_LIMITED', { retryAfterMs: 5 })], says('x')];
    expect(await take()).toEqual(says('x'));
    expect(notices).toEqual([
      { type: 'model_retry', attempt: 2, of: 3, retryInMs: 1, code: 'DEPENDENCY_UNAVAILABLE' },
      { type: 'model_retry', attempt: 3, of: 3, retryInMs: 5, code: 'RATE_LIMITED' },
    ]);
    expect(seen).toMatchObject([
      { attempt: 1, runId: 'run_1', error: 'DEPENDENCY_UNAVAILABLE', retryInMs: 1, finish: null },
      { attempt: 2, error: 'RATE_LIMITED', retryInMs: 5 },
      { attempt: 3, model: 'scripted', error: null, finish: 'stop', tokens: true, retryInMs: null },
    ]);
    expect(seen[0]?.tokens).toBeUndefined();
  });

  it.each<[string, (ChatChunk | Error)[]]>([
    ['of what would fail again', [failure('DEPENDENCY_UNAVAILABLE', { retryable: false })]],
    ['past the patience of a run', [failure('RATE_LIMITED', { retryAfterMs: 51 })]],
    ['of a limit', [failure('LIMIT_EXCEEDED')]],
    ['of our own', [new Error('a fault')]],
  ])('does not ask again after a failure %s', async (_what, turn) => {
    const { first, notices, take } = start();
    first.turns = [turn, says('never')];
    await expect(take()).rejects.toBe(turn.at(-1));
    expect(notices).toEqual([]);
    expect(first.requests).toHaveLength(1);
  });

  it('asks again in the middle of an answer, and says between what does not count any more', async () => {
    const { first, second, run, controller } = start({ fallback: true, maxAttempts: 2 });
    const half: ChatChunk = { type: 'text', delta: 'Half' };
    const hm: ChatChunk = { type: 'reasoning', delta: 'hm' };
    first.turns = [
      [hm, half, ...DOWN],
      [hm, half],
    ];
    second.turns = [says('x')];
    const chunks: unknown[] = [];
    for await (const chunk of run.turn(modelRequest(), controller.signal)) {
      chunks.push(chunk.type === 'restart' ? chunk.notice.type : chunk);
    }
    expect(chunks).toEqual([hm, half, 'model_retry', hm, half, 'model_fallback', ...says('x')]);
  });

  it('hands over for the rest of the run once the tries are used up', async () => {
    const { first, second, notices, fallbacks, run, take } = start({
      fallback: true,
      maxAttempts: 2,
    });
    first.turns = [DOWN, DOWN];
    second.turns = [DOWN, says('x'), says('y')];
    expect(await take()).toEqual(says('x'));
    expect(await take()).toEqual(says('y'));
    expect(notices.map(({ type }) => type)).toEqual([
      'model_retry',
      'model_fallback',
      'model_retry',
    ]);
    expect(notices[1]).toEqual({
      type: 'model_fallback',
      model: 'scripted',
      code: 'DEPENDENCY_UNAVAILABLE',
    });
    const endpoint = { provider: first.provider, model: 'scripted', host: null };
    const ids = { runId: 'run_1', threadId: 'thr_1' };
    const code = 'DEPENDENCY_UNAVAILABLE';
    expect(fallbacks).toEqual([{ ...ids, from: endpoint, to: endpoint, code, reason: 'no' }]);
    expect(first.requests).toHaveLength(2);
    expect(run.meter.usage).toMatchObject({ inputTokens: 20, outputTokens: 4 });
  });

  it('hands over at once when the first refuses, and fails with the last', async () => {
    const { first, second, take } = start({ fallback: true, maxAttempts: 1 });
    first.turns = [[failure('DEPENDENCY_UNAVAILABLE', { retryable: false })]];
    const last = failure('RATE_LIMITED');
    second.turns = [[last]];
    await expect(take()).rejects.toBe(last);
  });

  it('ends a wait with the run', async () => {
    const { first, controller, seen, take } = start({ baseMs: 60_000, maxMs: 60_000 });
    first.turns = [DOWN, says('never')];
    const reason = new StewardError('CANCELLED', 'stop');
    await expect(take(() => setImmediate(() => controller.abort(reason)))).rejects.toBe(reason);
    expect(first.requests).toHaveLength(1);
    expect(seen).toMatchObject([{ error: 'DEPENDENCY_UNAVAILABLE', retryInMs: 60_000 }]);
  });

  it('tells the observer of a turn that is broken off, and estimates what is not reported', async () => {
    const { first, run, seen } = start();
    first.turns = [
      says('x', 'y'),
      [
        { type: 'text', delta: 'four' },
        { type: 'finish', reason: 'stop', usage: null },
      ],
    ];
    const signal = new AbortController().signal;
    for await (const _chunk of run.turn(modelRequest(), signal)) break;
    expect(seen).toMatchObject([{ error: 'CANCELLED', finish: null, usage: null, tokens: true }]);
    for await (const _chunk of run.turn(modelRequest(), signal));
    expect(run.meter.usage).toBeNull();
    expect(run.meter.spent).toBe(4);
  });
});
