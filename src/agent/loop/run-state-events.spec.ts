import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { play, runScripts } from '../../../test/support/run-script.js';
import type { NewRunEvent, RunStateSnapshot } from '../../events/run-event.js';
import { RunStateEvents } from './run-state-events.js';

/** The state that a client holds after events; throws where a delta does not fit what it holds. */
function stateAfter(events: readonly NewRunEvent[], before: object = {}): unknown {
  let run: Record<string, unknown> = { ...before };
  for (const event of events) {
    if (event.type === 'STATE_SNAPSHOT') run = { ...event.snapshot.run };
    if (event.type !== 'STATE_DELTA') continue;
    for (const { op, path, value } of event.delta) {
      const member = /^\/run\/(\w+)$/.exec(path)?.[1] ?? '';
      // `replace` of what is not there is an error by RFC 6902.
      if (op !== 'replace' || !(member in run)) throw new Error(`${op} ${path}`);
      run[member] = value;
    }
  }
  return { run };
}

const FINISHED: NewRunEvent = {
  type: 'RUN_FINISHED',
  threadId: 't',
  outcome: 'success',
  usage: null,
};

describe('RunStateEvents', () => {
  it('is the stage while a run goes on, and its outcome at the end, in any run', async () => {
    await fc.assert(
      fc.asyncProperty(runScripts, async (script) => {
        const { events } = await play(script, 't', 'r');
        const told = events.map(({ event }) => event);
        const status = { success: 'succeeded', cancelled: 'cancelled', error: 'failed' };
        const ended = { id: 'r', stage: null, pendingApprovals: [], pendingCalls: [] };
        expect(stateAfter(told, { id: 'before' })).toEqual({
          run: { ...ended, status: status[script.outcome] },
        });
        told.forEach((event, index) => {
          if (event.type !== 'STEP_FINISHED') return;
          expect(stateAfter(told.slice(0, index))).toEqual({
            run: { ...ended, status: 'running', stage: event.stepName },
          });
        });
      }),
      { numRuns: 30 },
    );
  });

  it('goes on from what the log has', () => {
    const first = new RunStateEvents('r', false).with([
      { type: 'STEP_STARTED', stepName: 'intent' },
    ]);
    expect(first.map(({ type }) => type)).toEqual(['STEP_STARTED', 'STATE_SNAPSHOT']);
    const rest = new RunStateEvents('r', true).with([
      { type: 'STEP_FINISHED', stepName: 'intent' },
      { type: 'STEP_STARTED', stepName: 'report' },
      { type: 'STEP_FINISHED', stepName: 'report' },
      FINISHED,
    ]);
    const run = {
      id: 'r',
      status: 'succeeded',
      stage: null,
      pendingApprovals: [],
      pendingCalls: [],
    };
    expect(stateAfter([...first, ...rest])).toEqual({ run });
    expect(rest.filter(({ type }) => type === 'STATE_SNAPSHOT')).toEqual([]);
  });

  it('has a snapshot alone where the run ends before it began', () => {
    const events = new RunStateEvents('r', false).with([FINISHED]);
    expect(events.map(({ type }) => type)).toEqual(['STATE_SNAPSHOT', 'RUN_FINISHED']);
    const run = {
      id: 'r',
      status: 'succeeded',
      stage: null,
      pendingApprovals: [],
      pendingCalls: [],
    };
    expect(stateAfter(events)).toEqual({ run });
  });

  it('says what a run waits for, without the input of the call', () => {
    const events = new RunStateEvents('r', true).with([
      {
        type: 'RUN_FINISHED',
        threadId: 't',
        usage: null,
        outcome: 'interrupt',
        interrupts: [
          {
            id: 'int_1',
            reason: 'tool_call',
            message: 'Allow it?',
            toolCallId: 'call_1',
            responseSchema: {},
            expiresAt: '2026-01-01T00:00:00.000Z',
            metadata: {
              kind: 'approval',
              module: 'notes',
              method: 'add',
              input: { text: 'private' },
              inputHash: 'x',
              rule: null,
            },
          },
        ],
      },
    ]);
    const before: RunStateSnapshot['run'] = {
      id: 'r',
      status: 'running',
      stage: 'execution',
      pendingApprovals: [],
      pendingCalls: [],
    };
    expect(stateAfter(events, before)).toEqual({
      run: {
        id: 'r',
        status: 'waiting',
        stage: null,
        pendingApprovals: [
          {
            id: 'int_1',
            kind: 'approval',
            toolCallId: 'call_1',
            module: 'notes',
            method: 'add',
            expiresAt: '2026-01-01T00:00:00.000Z',
          },
        ],
        pendingCalls: [],
      },
    });
  });
});
