import { newId } from '../../src/common/ids.js';
import type { PendingCall } from '../../src/events/run-event.js';
import type { ApiClient } from './api-client.js';
import type { AskingApp } from './asking-app.js';

/** A tool as a client describes it in a request. */
export const COLOUR_TOOL = {
  name: 'pickColour',
  description: 'Lets the person pick a colour.',
  parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
};
export const pickColour = (of = 'wall') => ({
  module: 'client',
  method: 'pickColour',
  input: { of },
});

/** What a client with tools says to the agent, and hears. */
export function clientCallTalk(app: AskingApp, person: ApiClient = app.person) {
  /** Posts a request that must be accepted, and follows its run. @returns its last event. */
  const go = async (body: object): Promise<Record<string, unknown>> => {
    const { status, body: said } = await person.post('/agent/runs', body);
    if (status !== 202) throw new Error(JSON.stringify(said));
    return finish(String(said['threadId']));
  };
  const finish = async (threadId: string): Promise<Record<string, unknown>> => {
    let last: Record<string, unknown> = {};
    for await (const { event } of person.frames(`/agent/runs/${threadId}/events`)) last = event;
    return last;
  };
  return {
    go,
    finish,
    thread: () => newId('thr'),
    pending: (event: Record<string, unknown>) => (event['pendingCalls'] ?? []) as PendingCall[],
    records: (threadId: string) =>
      app.query<{ method: string; status: string; code: string | null; record: object }>(
        `SELECT method, status, code, record FROM tool_calls WHERE thread_id = $1
         ORDER BY started_at, id`,
        [threadId],
      ),
  };
}
