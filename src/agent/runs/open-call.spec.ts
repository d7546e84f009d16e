import { describe, expect, it } from '@jest/globals';
import { beginsWith, foldRun } from '../loop/run-fold.js';
import { StageTracker } from '../loop/stage-tracker.js';
import type { TurnCall } from '../loop/turn-calls.js';
import { toOpenCall, toTurnCalls } from './open-call.js';

const ARGS = '{"module":"notes","method":"add","input":{"text":"a"}}';

const call = (id: string, raw: string, shown = raw): TurnCall => ({
  shown: { id, name: 'project_cli', arguments: shown },
  raw: { name: 'project_cli', arguments: raw },
});

describe('a call that waits', () => {
  it('is executed later as the model made it, or as the person granted it', () => {
    const open = [call('a', ARGS), call('b', ARGS)].map((made) => toOpenCall(made, 'en'));
    const granted = { module: 'notes', method: 'add', input: { text: 'edited' } };
    expect(toTurnCalls(open, new Map([['a', { execute: granted }]]))).toEqual([
      { ...call('a', JSON.stringify(granted), ARGS) },
      call('b', ARGS),
    ]);
  });

  it('is not executed when it was refused, or when what is kept is not what the model made', () => {
    const secret = `{"text":"Bearer ${'x'.repeat(40)}"}`;
    const kept = [
      call('carries', secret, '{"text":"[redacted]"}'),
      call('odd', '{"text":"\uD800"}', '{"text":"\uFFFD"}'),
      { ...call('named', ARGS), raw: { name: 'project cli', arguments: ARGS } },
    ].map((made) => toOpenCall(made, 'en'));
    expect(kept.map(({ refusal }) => refusal?.code)).toEqual([
      'CREDENTIAL_IN_INPUT',
      'INVALID_TOOL_CALL',
      'INVALID_TOOL_CALL',
    ]);
    const refusal = { code: 'APPROVAL_DENIED' as const, message: 'no', retryable: false };
    const open = [toOpenCall(call('a', ARGS), 'en'), ...kept];
    const calls = toTurnCalls(open, new Map([['a', { refuse: refusal }]]));
    expect(calls.map((made) => made.refusal?.code)).toEqual([
      'APPROVAL_DENIED',
      'CREDENTIAL_IN_INPUT',
      'INVALID_TOOL_CALL',
      'INVALID_TOOL_CALL',
    ]);
  });
});

describe('a run that goes on', () => {
  const calls = ['a', 'b'].map((id) => ({ id, name: 'project_cli', arguments: ARGS }));
  const result = {
    messageId: 'm',
    toolCallId: 'a',
    content: '{}',
    tool: {
      callId: 'a',
      toolName: 'project_cli' as const,
      module: 'notes',
      method: 'add',
      args: {},
      status: 'success' as const,
      result: null,
      error: null,
      summary: '',
      ui_schema: null,
    },
  };

  it('begins with the calls that were open, and answers each once', () => {
    const tracker = new StageTracker(beginsWith(calls).open);
    expect(tracker.begin()).toEqual([{ type: 'STEP_STARTED', stepName: 'execution' }]);
    expect(() => tracker.text('t', 'too early')).toThrow('text while a call has no result');
    expect(() => tracker.result({ ...result, toolCallId: 'c' })).toThrow('without its call');
    expect(tracker.result(result)).toMatchObject([{ type: 'TOOL_CALL_RESULT' }]);
    expect(tracker.openCallIds).toEqual(['b']);
    expect(() => tracker.result(result)).toThrow('without its call');
  });

  it('may have what comes behind a call of a client answered first', () => {
    const tracker = new StageTracker(beginsWith(calls).open);
    tracker.begin();
    tracker.result({ ...result, toolCallId: 'b' });
    expect(tracker.openCallIds).toEqual(['a']);
  });

  it('is read back from its events and the calls before them', () => {
    const folded = foldRun(
      [
        { type: 'RUN_STARTED', timestamp: 1, threadId: 't', resumedFrom: 'r' },
        { type: 'STEP_STARTED', timestamp: 1, stepName: 'execution' },
        { type: 'TOOL_CALL_RESULT', timestamp: 1, ...result },
      ],
      calls,
    );
    expect(folded).toMatchObject({ open: { stage: 'execution', callIds: ['b'], ended: false } });
    expect(folded.calls).toEqual([calls[1]]);
  });

  it('leaves calls open only where it says that it waits', () => {
    const ends = { type: 'RUN_FINISHED', threadId: 't', usage: null } as const;
    const tracker = () => new StageTracker(beginsWith(calls).open);
    expect(() => tracker().end({ ...ends, outcome: 'success' })).toThrow('an end while a call');
    expect(tracker().end({ ...ends, outcome: 'interrupt', interrupts: [] })).toHaveLength(1);
  });
});
