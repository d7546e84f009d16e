import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { hangs, says, startAgentApp, type AgentApp } from '../../../test/support/agent-app.js';
import type { ApiClient } from '../../../test/support/api-client.js';

/** Streams that a user may have open. */
const MAX_STREAMS = 50;

describe('POST /agent/runs as a stream that is refused', () => {
  let agent: AgentApp;
  let client: ApiClient;
  const controllers: AbortController[] = [];

  beforeAll(async () => {
    agent = await startAgentApp();
  });
  afterEach(() => {
    for (const controller of controllers.splice(0)) controller.abort();
    agent.model.turns = [];
  });
  afterAll(() => agent.close());

  const stream = (body: object, headers: Record<string, string>) =>
    client.raw('/agent/runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(body),
    });
  /** A run that goes on, and as many streams of it as its user may have open. */
  async function occupy(headers: Record<string, string> = {}) {
    client = await agent.client().register();
    agent.model.turns = [() => hangs()];
    const run = await client.post('/agent/runs', { message: 'wait' }, headers);
    const { runId, threadId } = run.body as { runId: string; threadId: string };
    await Promise.all(
      Array.from({ length: MAX_STREAMS }, async () => {
        const controller = new AbortController();
        controllers.push(controller);
        const { signal } = controller;
        const answer = await client.raw(`/agent/runs/${threadId}/events`, { signal });
        expect(answer.status).toBe(200);
      }),
    );
    return runId;
  }
  const freed = async (attempt: () => Promise<Response>): Promise<Response> => {
    for (const controller of controllers.splice(0)) controller.abort();
    for (;;) {
      const answer = await attempt();
      if (answer.status !== 429) return answer;
      await answer.text();
    }
  };
  const status = async (runId: string) => (await client.get(`/agent/runs/${runId}`)).body.status;

  it('leaves neither run nor thread, and its Idempotency-Key stays free', async () => {
    const runId = await occupy();
    const headers = { 'idempotency-key': 'refused' };
    const attempt = () => stream({ message: 'one more', threadId: `more-${runId}` }, headers);
    const refused = await attempt();
    expect(refused.status).toBe(429);
    const threads = (await client.get('/agent/threads')).body.threads as unknown[];
    expect(threads).toHaveLength(1);
    agent.model.turns = [says('here')];
    const answer = await freed(attempt);
    expect(await answer.text()).toContain('"outcome":"success"');
    await client.post(`/agent/runs/${runId}/cancel`, {});
  });

  it('does not end the run of an earlier request with the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'repeated' };
    const runId = await occupy(headers);
    expect((await stream({ message: 'wait' }, headers)).status).toBe(429);
    expect(await status(runId)).toBe('running');
    await client.post(`/agent/runs/${runId}/cancel`, {});
  });
});
