import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountModule } from '../../src/account/account.module.js';
import { callsTool } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import { startAskingApp, type AskingApp } from '../support/asking-app.js';

const ADD = { module: 'notes', method: 'add', input: { text: 'one' } };

/** What was started under a session ends with it, also what only waits for an answer. */
describe('a run that waits for an answer', () => {
  let agent: AskingApp;

  beforeAll(async () => {
    agent = await startAskingApp(undefined, {}, [AccountModule]);
  });
  afterAll(() => agent.close());

  const status = async (runId: string) => {
    const [run] = await agent.query<{ status: string }>(
      'SELECT status FROM agent_runs WHERE id = $1',
      [runId],
    );
    return run?.status;
  };
  async function waits(person: ApiClient): Promise<string> {
    agent.model.turns.push(callsTool(ADD));
    const { runId } = await person.say('please');
    expect(await status(runId)).toBe('waiting');
    return runId;
  }
  async function untilCancelled(runId: string): Promise<void> {
    while ((await status(runId)) !== 'cancelled') await new Promise(setImmediate);
  }
  const signIn = async ({ email }: ApiClient) => {
    const other = agent.client();
    const { body } = await other.post('/auth/token', { email, password: 'correct horse battery' });
    other.token = String(body.accessToken);
    return other;
  };

  it('ends with the session that it was started under, and with no other', async () => {
    const person = await agent.client().register();
    const other = await signIn(person);
    const own = await waits(person);
    const others = await waits(other);
    expect((await person.post('/auth/sign-out', {})).status).toBe(204);
    await untilCancelled(own);
    expect(await status(others)).toBe('waiting');
    expect((await other.post('/auth/sign-out', { everywhere: true })).status).toBe(204);
    await untilCancelled(others);
  });

  it('ends when its person is shut out', async () => {
    const person = await agent.client().register();
    const runId = await waits(person);
    await agent.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [agent.person.userId]);
    const admin = await signIn(agent.person);
    const path = `/admin/users/${person.userId}`;
    expect((await admin.call('PATCH', path, { disabled: true })).status).toBe(200);
    await untilCancelled(runId);
  });
});
