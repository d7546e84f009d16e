import { describe, expect, it } from '@jest/globals';
import { toToolMessage, toolMessageText } from './tool-message.js';
import { toResultFacts } from './result-facts.js';
import type { ToolAgentOutput } from './tool-agent-output.js';

const record: ToolAgentOutput = {
  tool_name: 'project_cli',
  tool_call_id: 'call_1',
  tool_call_args: { module: 'calendar', method: 'create', input: { title: 'Sync' } },
  status: 'success',
  result: { module: 'calendar', method: 'create', data: { id: 'evt_1', title: 'Sync' } },
  error: null,
  ui_hints: {
    version: 1,
    template: 'calendar.create',
    locale: 'en',
    timezone: 'UTC',
    title: 'Event created',
    tone: 'positive',
    sections: [],
  },
  repairs: [],
  summary: 'Created event: Sync',
  summary_version: 1,
  started_at: '2026-04-21T00:00:00.000Z',
  finished_at: '2026-04-21T00:00:00.010Z',
};

describe('tool messages', () => {
  it('hold the projection as text and the record as metadata', () => {
    const { content, metadata } = toToolMessage(record, 'run_1', { state: 'inline' });
    expect(content).toBe('{"status":"success","id":"evt_1","title":"Sync"}');
    expect(metadata).toEqual({
      tool_call_id: 'call_1',
      tool_name: 'project_cli',
      module: 'calendar',
      method: 'create',
      run_id: 'run_1',
      stage: 'execution',
      task_id: null,
      status: 'success',
      summary: 'Created event: Sync',
      summary_version: 1,
      storage_state: 'inline',
      tool_agent_output: record,
    });
  });

  it('hold the summary and the place of a record in the stored tier', () => {
    const reference = {
      storage_bucket: 'objects',
      storage_path: 'tool-outputs/thr/run/call.json',
      payload_bytes: 17,
      payload_sha256: '0'.repeat(64),
    };
    const stored = toToolMessage(record, 'run_1', { state: 'stored', reference });
    expect(stored.content).toBe('Created event: Sync');
    expect(stored.metadata).toMatchObject({
      storage_state: 'stored',
      ...reference,
      module: 'calendar',
    });
    expect(stored.metadata).not.toHaveProperty('tool_agent_output');
  });

  it('hold summary and record when the store did not take it', () => {
    const kept = toToolMessage(record, 'run_1', { state: 'write_failed' });
    expect(kept.content).toBe('Created event: Sync');
    expect(kept.metadata).toMatchObject({
      storage_state: 'write_failed',
      tool_agent_output: record,
    });
    expect(kept.metadata).not.toHaveProperty('storage_path');
  });

  it('read the same in every tier, and as their summary without the record', () => {
    const reference = {
      storage_bucket: 'b',
      storage_path: 'p',
      payload_bytes: 1,
      payload_sha256: '',
    };
    const inline = toToolMessage(record, 'run_1', { state: 'inline' });
    for (const state of ['write_failed', 'stored'] as const) {
      const message = toToolMessage(record, 'run_1', { state, reference });
      expect(toolMessageText(message, record)).toBe(inline.content);
      expect(toolMessageText(message, null)).toBe('Created event: Sync');
    }
    expect(toolMessageText(inline, record)).toBe(inline.content);
  });

  it('tell facts and card without ui_hints', () => {
    const live = toResultFacts(record);
    expect(live.ui_schema).toHaveLength(3);
    expect(JSON.stringify(live)).not.toContain('ui_hints');
    expect(live.args).toEqual({ module: 'calendar', method: 'create', input: { title: 'Sync' } });
  });

  it('have no card without hints', () => {
    expect(toResultFacts({ ...record, ui_hints: null }).ui_schema).toBeNull();
  });

  it('have no card, but still their facts, when stored hints are broken', () => {
    const broken: ToolAgentOutput = JSON.parse(
      JSON.stringify({ ...record, ui_hints: { title: 'x', sections: 7 } }),
    ) as ToolAgentOutput;
    const facts = toResultFacts(broken);
    expect(facts.ui_schema).toBeNull();
    expect(facts.summary).toBe('Created event: Sync');
  });
});
