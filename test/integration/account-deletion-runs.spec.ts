import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { ApiClient } from '../support/api-client.js';
import { callReply, chunk, type ModelReply } from '../support/model-server.js';
import { startScriptedProduct, type ScriptedProduct } from '../support/scripted-product.js';

const PASSWORD = 'correct horse battery';
const HANGS: ModelReply = {
  lines: [chunk({ role: 'assistant', content: 'Half' })],
  end: 'hang',
};

/** What is executed for a person, or waits for them, is no reason to keep their account. */
describe('DELETE /auth/me with runs', () => {
  let scripted: ScriptedProduct;
  let admin: ApiClient;

  beforeAll(async () => {
    scripted = await startScriptedProduct({ RUN_CONCURRENCY: '1' });
    admin = await scripted.product.client().register();
  }, 60_000);
  afterAll(() => scripted.close());

  const post = async (person: ApiClient, threadId: string): Promise<string> => {
    const answer = await person.post('/agent/runs', { threadId, message: 'go' });
    expect(answer.status).toBe(202);
    return String(answer.body['runId']);
  };
  const statusOf = async (person: ApiClient, runId: string): Promise<unknown> =>
    (await person.get(`/agent/runs/${runId}`)).body['status'];
  const remove = (person: ApiClient) => person.call('DELETE', '/auth/me', { password: PASSWORD });
  const rowsOf = async (person: ApiClient): Promise<unknown> =>
    scripted.product.app.get(DataSource, { strict: false }).query(
      `SELECT (SELECT count(*)::int FROM users WHERE id = $1) AS users,
           (SELECT count(*)::int FROM agent_runs WHERE user_id = $1) AS runs,
           (SELECT count(*)::int FROM agent_threads WHERE user_id = $1) AS threads`,
      [person.userId],
    );
  const GONE = [{ users: 0, runs: 0, threads: 0 }];

  it('cancels one that is executed and one that waits for a place, and ends their streams', async () => {
    const { endpoint, product } = scripted;
    const person = await product.client().register();
    endpoint.replies.push(HANGS);
    const running = await post(person, 'deletion-running');
    const frames = person.frames('/agent/runs/deletion-running/events');
    const types: string[] = [];
    for await (const { event } of frames) {
      types.push(event.type);
      if (event.type === 'TEXT_MESSAGE_CONTENT') break;
    }
    const queued = await post(person, 'deletion-queued');
    expect([await statusOf(person, running), await statusOf(person, queued)]).toEqual([
      'running',
      'queued',
    ]);
    const rest = (async () => {
      const seen: string[] = [];
      for await (const { event } of person.frames('/agent/runs/deletion-running/events')) {
        seen.push(event.type);
      }
      return seen;
    })();

    expect(await remove(person)).toMatchObject({ status: 204 });
    await endpoint.aborted;
    await rest;
    expect(await rowsOf(person)).toEqual(GONE);
  }, 60_000);

  it('takes one that waits for an answer with it', async () => {
    const { endpoint, product } = scripted;
    const person = await product.client().register();
    const tools = [{ name: 'pick_colour', description: 'Asks for a colour', parameters: {} }];
    endpoint.replies.push(callReply({ module: 'client', method: 'pick_colour', input: {} }));
    const body = { threadId: 'deletion-waiting', message: 'go', tools };
    const answer = await person.post('/agent/runs', body);
    expect(answer.status).toBe(202);
    for await (const { event } of person.frames('/agent/runs/deletion-waiting/events')) {
      if (event.type === 'RUN_FINISHED') expect(event).toMatchObject({ outcome: 'pending' });
    }
    expect(await statusOf(person, String(answer.body['runId']))).toBe('waiting');
    expect(await remove(person)).toMatchObject({ status: 204 });
    expect(await rowsOf(person)).toEqual(GONE);
  }, 60_000);

  it('cancels nothing where the account is to stay', async () => {
    const { endpoint } = scripted;
    endpoint.replies.push(HANGS);
    const runId = await post(admin, 'deletion-admin');
    for await (const { event } of admin.frames('/agent/runs/deletion-admin/events')) {
      if (event.type === 'TEXT_MESSAGE_CONTENT') break;
    }
    expect(await remove(admin)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    const wrong = await admin.call('DELETE', '/auth/me', { password: 'wrong horse battery' });
    expect(wrong).toMatchObject({ status: 403 });
    expect(await statusOf(admin, runId)).toBe('running');
    await admin.post(`/agent/runs/${runId}/cancel`, {});
  }, 60_000);
});
