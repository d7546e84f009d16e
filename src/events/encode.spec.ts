import { describe, expect, it } from '@jest/globals';
import { EventSchemas as EventSchemasV1 } from '@ag-ui/core/schemas';
import { EventSchemas as EventSchemasV0 } from 'ag-ui-core-v0';
import * as fc from 'fast-check';
import { RUN_SCRIPTS, play, runScripts } from '../../test/support/run-script.js';
import { encodeEvent } from './encode.js';
import type { LoggedEvent } from './run-event.js';
import { wireForm, type WireForm } from './wire-form.js';

type Wire = Record<string, unknown> & { type: string };
const parse = (event: LoggedEvent, form: WireForm): Wire =>
  JSON.parse(encodeEvent(event, form)) as Wire;

/**
 * Paths of null members, but inside `metadata`, whose values are data, and in a state, where null says that
 * it has none.
 */
function nullMembers(value: unknown, path = ''): string[] {
  if (/^\/(snapshot|delta\/\d+\/value)\b/.test(path)) return [];
  if (value === null) return [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'metadata' ? [] : nullMembers(member, `${path}/${key}`),
  );
}

describe('encoding of events', () => {
  it('is strict AG-UI in both versions: valid, nothing unknown, nothing null', async () => {
    await fc.assert(
      fc.asyncProperty(runScripts, async (script) => {
        const { events } = await play(script, 'thr_1', 'run_1');
        for (const event of events) {
          for (const form of ['agui', 'agui-1.0'] as const) {
            const wire = parse(event, form);
            expect(nullMembers(wire)).toEqual([]);
            const schema = form === 'agui' ? EventSchemasV0 : EventSchemasV1;
            expect(schema.parse(wire)).toEqual(wire);
            expect(Number.isInteger(wire.timestamp)).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('sends the members that are newer than 0.0.59 to clients of 1.0 only', async () => {
    const script = RUN_SCRIPTS['cancelled in the middle of a text'];
    if (!script) throw new Error('no such script');
    const { events } = await play(script, 'thr_1', 'run_1');
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last) throw new Error('no events');
    expect(parse(first, 'agui-1.0')).toMatchObject({ protocolVersion: '1.0', runId: 'run_1' });
    expect(parse(first, 'agui')).not.toHaveProperty('protocolVersion');
    expect(parse(last, 'agui-1.0')).toMatchObject({
      outcome: { type: 'cancelled' },
      usage: [{ inputTokens: 3, outputTokens: 5 }],
    });
    expect(EventSchemasV0.safeParse(parse(last, 'agui-1.0')).success).toBe(false);
    expect(Object.keys(parse(last, 'agui')).sort()).toEqual(
      ['metadata', 'runId', 'threadId', 'timestamp', 'type'].sort(),
    );
    expect(parse(last, 'agui').metadata).toEqual({ outcome: 'cancelled' });
  });

  it('tells what a run took, for each of its models, also when it failed', () => {
    const one = { provider: 'deepseek', model: 'chat', inputTokens: 3, outputTokens: 4 };
    const other = { ...one, provider: 'ollama', reasoningTokens: 1 };
    const models = [one, other];
    const usage = { inputTokens: 6, outputTokens: 8, reasoningTokens: 1, models };
    const event = {
      type: 'RUN_ERROR' as const,
      timestamp: 1,
      message: 'no',
      code: 'TIMEOUT',
      usage,
    };
    const failed = { threadId: 't', runId: 'run_1', id: 9, event };
    expect(parse(failed, 'agui-1.0')).toMatchObject({ message: 'no', usage: models });
    expect(parse(failed, 'agui')).not.toHaveProperty('usage');
    expect(parse(failed, 'app')).toMatchObject({ usage });
  });

  it('tells the facts of a tool call: flat in app, in metadata in agui, by their older names in v1', async () => {
    const script = RUN_SCRIPTS['a call with a card'];
    if (!script) throw new Error('no such script');
    const { events } = await play(script, 'thr_1', 'run_1');
    const result = events.find(({ event }) => event.type === 'TOOL_CALL_RESULT');
    if (!result) throw new Error('no result');
    const app = parse(result, 'app');
    expect(app).toMatchObject({
      toolCallId: 'run_1-call-0-0',
      callId: 'run_1-call-0-0',
      toolName: 'project_cli',
      args: { module: 'calendar', method: 'read', input: { mode: 'day' } },
      status: 'success',
      result: { module: 'calendar', method: 'read' },
      error: null,
      summary: '查询到 1 条日程',
    });
    expect(JSON.parse(String(app.content))).toMatchObject({ status: 'success', count: 1 });
    expect(Array.isArray(app.ui_schema)).toBe(true);
    expect(app).not.toHaveProperty('ui');
    expect(parse(result, 'app-v1')).toEqual({ ...app, content: app.summary, ui: app.ui_schema });
    const { metadata, ...members } = parse(result, 'agui');
    expect(metadata).toMatchObject({ summary: app.summary, ui_schema: app.ui_schema });
    expect(metadata).not.toHaveProperty('error');
    expect(Object.keys(members).sort()).toEqual(
      ['content', 'messageId', 'role', 'timestamp', 'toolCallId', 'type'].sort(),
    );
  });

  it('tells every client what a run waits for, and which run goes on', () => {
    const at = { threadId: 't', runId: 'r', id: 1 };
    const interrupts = [
      {
        id: 'int_1',
        reason: 'tool_call' as const,
        message: 'May it?',
        toolCallId: 'call_1',
        responseSchema: { type: 'object' },
        expiresAt: '2026-11-30T16:00:00.000Z',
        metadata: {
          kind: 'approval' as const,
          module: 'notes',
          method: 'add',
          input: {},
          inputHash: 'x',
          rule: 'r',
        },
      },
    ];
    const waits = {
      ...at,
      event: {
        type: 'RUN_FINISHED' as const,
        timestamp: 1,
        threadId: 't',
        outcome: 'interrupt' as const,
        interrupts,
        usage: null,
      },
    };
    for (const form of ['agui', 'agui-1.0'] as const) {
      expect(parse(waits, form).outcome).toEqual({ type: 'interrupt', interrupts });
    }
    expect(parse(waits, 'app')).toMatchObject({ outcome: 'interrupt', interrupts });
    const event = {
      type: 'RUN_STARTED' as const,
      timestamp: 1,
      threadId: 't',
      resumedFrom: 'run_0',
    };
    expect(parse({ ...at, event }, 'app')).toEqual({ ...event, runId: 'r' });
    expect(parse({ ...at, event }, 'agui').metadata).toEqual({ resumedFrom: 'run_0' });
  });

  it('never sends ui_hints', async () => {
    const script = RUN_SCRIPTS['a call with a card'];
    if (!script) throw new Error('no such script');
    const { events } = await play(script, 'thr_1', 'run_1');
    for (const event of events) {
      for (const form of ['app', 'app-v1', 'agui', 'agui-1.0'] as const) {
        expect(encodeEvent(event, form)).not.toContain('ui_hints');
      }
    }
  });

  it.each([
    [{ encoding: 'app' as const }, 'app'],
    [{ encoding: 'app' as const, wire: 'v1' as const, protocolVersion: '1.0' }, 'app-v1'],
    [{ encoding: 'agui' as const }, 'agui'],
    [{ encoding: 'agui' as const, protocolVersion: '0.9' }, 'agui'],
    [{ encoding: 'agui' as const, protocolVersion: 'latest' }, 'agui'],
    [{ encoding: 'agui' as const, protocolVersion: '1.0' }, 'agui-1.0'],
    [{ encoding: 'agui' as const, protocolVersion: '2.3' }, 'agui-1.0'],
  ])('chooses the form of %j', (request, form) => {
    expect(wireForm(request)).toBe(form);
  });
});
