import { describe, expect, it } from '@jest/globals';
import { factsFromToolMessage, toToolMessage } from './tool-message.js';
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
    const { content, metadata } = toToolMessage(record, 'run_1');
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

  it('replay the facts of the live event, without ui_hints', () => {
    const live = toResultFacts(record);
    const stored: ReturnType<typeof toToolMessage> = structuredClone(
      toToolMessage(record, 'run_1'),
    );
    expect(factsFromToolMessage(stored)).toEqual(live);
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
