import { describe, expect, it } from '@jest/globals';
import { succeeds } from '../../../test/support/agent-app.js';
import { StewardError } from '../../common/steward-error.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { TurnCalls, type TurnCall } from './turn-calls.js';

const REFUSAL = { code: 'CREDENTIAL_IN_INPUT', message: 'no', retryable: false } as const;

function call(id: string, value: string, extra: Partial<TurnCall> = {}): TurnCall {
  const args = JSON.stringify({ module: 'calendar', method: 'read', input: { value } });
  const shown = { id, name: 'project_cli', arguments: args };
  return { shown, raw: { name: shown.name, arguments: args }, ...extra };
}

/** The calls of a run, and what was executed of them. */
function start(maxCalls: number, maxIdenticalCalls = 3) {
  const executed: string[] = [];
  const results: ToolAgentOutput[] = [];
  const calls = new TurnCalls(
    {
      executor: {
        execute: (request) => {
          executed.push(request.toolCallId);
          return Promise.resolve(succeeds(request, {}));
        },
      },
      askedBy: () => Promise.resolve(null),
      limits: { maxIdenticalCalls, maxCalls, maxCallsPerTurn: 16 },
    },
    {
      userId: 'usr_1',
      runId: 'run_1',
      threadId: 'thr_1',
      credential: '',
      context: { locale: 'en', timezone: 'UTC', now: new Date(0) },
    },
    {
      addResult: (record) => {
        results.push(record);
        return Promise.resolve();
      },
    },
    new AbortController().signal,
  );
  return { calls, executed, results };
}

describe('TurnCalls', () => {
  const before = [
    call('call_1', 'a', { refusal: REFUSAL }),
    call('call_2', 'b', { refusal: REFUSAL }),
  ];

  it.each([
    ['answered them', async (calls: TurnCalls) => void (await calls.answer(before))],
    [
      'goes on behind them',
      (calls: TurnCalls) => Promise.resolve(calls.countBefore(before.map(({ shown }) => shown))),
    ],
  ])('counts refused calls alike in a process that %s', async (_what, took) => {
    const { calls, executed, results } = start(3);
    await took(calls);
    await calls.answer([call('call_3', 'c')]);
    expect(executed).toEqual(['call_3']);
    await expect(calls.answer([call('call_4', 'd')])).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    expect(executed).toEqual(['call_3']);
    expect(results.at(-1)).toMatchObject({ tool_call_id: 'call_4', status: 'failure' });
  });

  it('counts a call as it was shown, whatever its person made of it', async () => {
    const edited = (id: string, value: string) => call(id, 'same', { raw: call('', value).raw });
    const { calls, executed } = start(9);
    await calls.answer([edited('call_1', 'x'), edited('call_2', 'y')]);
    await expect(calls.answer([edited('call_3', 'z')])).rejects.toBeInstanceOf(StewardError);
    expect(executed).toEqual(['call_1', 'call_2']);
  });
});
