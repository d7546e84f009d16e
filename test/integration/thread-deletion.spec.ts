import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { callsTool } from '../support/agent-app.js';
import { startAskingApp, type AskingApp } from '../support/asking-app.js';
import { whileHeld } from '../support/row-hold.js';

/** A thread is deleted at the same time as somebody goes on with the run that waits in it. */
describe('a thread that is being deleted', () => {
  let agent: AskingApp;

  beforeAll(async () => {
    agent = await startAskingApp();
  });
  afterAll(() => agent.close());

  const wait = async () => {
    agent.model.turns.push(callsTool({ module: 'notes', method: 'add', input: { text: 'one' } }));
    return agent.person.say('please');
  };
  const deletedBefore = <T>(threadId: string, act: () => Promise<T>) =>
    whileHeld(
      agent.app.get(DataSource, { strict: false }),
      [
        ['SELECT 1 FROM agent_threads WHERE id = $1 FOR UPDATE', [threadId]],
        ['DELETE FROM agent_threads WHERE id = $1', [threadId]],
      ],
      act,
    );

  it('takes a run with it that somebody cancels', async () => {
    const { threadId, runId } = await wait();
    const { status, body } = await deletedBefore(threadId, () =>
      agent.person.post(`/agent/runs/${runId}/cancel`, {}),
    );
    expect([status, body['code']]).toEqual([404, 'NOT_FOUND']);
  });

  it('takes a run with it that somebody answers', async () => {
    const { threadId } = await wait();
    const [asked] = await agent.pending(threadId);
    const resume = [{ interruptId: asked?.id, status: 'resolved', payload: { approved: true } }];
    const { status, body } = await deletedBefore(threadId, () =>
      agent.person.post('/agent/runs', { threadId, resume }),
    );
    expect([status, body['code']]).toEqual([404, 'NOT_FOUND']);
    const threads = await agent.query('SELECT 1 FROM agent_threads WHERE id = $1', [threadId]);
    expect(threads).toEqual([]);
  });
});
