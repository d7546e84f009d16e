import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CallPermits } from '../../src/interrupts/call-permits.js';
import { callsTool, says } from '../support/agent-app.js';
import { startAskingApp, type AskingApp } from '../support/asking-app.js';

const add = (text: string) => ({ module: 'notes', method: 'add', input: { text } });

/**
 * The database commits the question of a call and is gone before it says so: the call fails, and what
 * it asked is there. Nobody waits for the answer, so nobody is asked for it.
 */
describe('a question of which its call does not know', () => {
  let agent: AskingApp;

  beforeAll(async () => {
    agent = await startAskingApp();
  });
  afterAll(() => agent.close());

  /** The next question is stored, and the answer to its COMMIT lost. */
  const loseTheNext = (): void => {
    const permits = agent.app.get(CallPermits, { strict: false });
    const find = permits.find.bind(permits);
    const lost = jest.spyOn(permits, 'find').mockImplementation(async (call, ask, confirm) => {
      lost.mockRestore();
      await find(call, ask, confirm).catch(() => undefined);
      throw Object.assign(new Error('terminating connection'), { code: '57P01' });
    });
  };
  const statuses = async (threadId: string): Promise<string[]> => {
    const rows = await agent.query<{ status: string }>(
      'SELECT status FROM interrupts WHERE thread_id = $1 ORDER BY created_at, id',
      [threadId],
    );
    return rows.map(({ status }) => status);
  };

  it('ends with its run, though that succeeds, and the next one is answered alone', async () => {
    loseTheNext();
    agent.model.turns = [callsTool(add('lost')), says('It did not work.')];
    const { threadId, frames } = await agent.person.say('please');
    expect(frames.at(-1)?.event).toMatchObject({ outcome: 'success' });
    expect(await agent.pending(threadId)).toEqual([]);
    expect(await statuses(threadId)).toEqual(['cancelled']);

    agent.model.turns = [callsTool(add('asked')), says('Done.')];
    await agent.person.say('again', threadId);
    const { events } = await agent.answer(threadId, { approved: true });
    expect(events.at(-1)).toMatchObject({ outcome: 'success' });
    expect(await agent.notes()).toEqual(['asked']);
    await agent.check(threadId);
  });

  it('ends when its run comes to wait for another one', async () => {
    loseTheNext();
    agent.model.turns = [callsTool(add('lost')), callsTool(add('once more')), says('Done.')];
    const { threadId, frames } = await agent.person.say('please');
    expect(frames.at(-1)?.event).toMatchObject({ outcome: 'interrupt' });
    expect(await agent.pending(threadId)).toHaveLength(1);
    expect(await statuses(threadId)).toEqual(['cancelled', 'pending']);
    const { events } = await agent.answer(threadId, { approved: true });
    expect(events.at(-1)).toMatchObject({ outcome: 'success' });
    expect(await agent.notes()).toContain('once more');
    await agent.check(threadId);
  });

  it('keeps no other run of its thread from being answered, whenever it was stored', async () => {
    agent.model.turns = [says('Hello.'), callsTool(add('answered')), says('Done.')];
    const { threadId, runId } = await agent.person.say('hello');
    await agent.person.say('please', threadId);
    const [asked] = await agent.pending(threadId);
    // A call of the first run, which had ended before its door came to store what it asks.
    await agent.query(
      `INSERT INTO interrupts SELECT (jsonb_populate_record(i, jsonb_build_object(
         'id', 'int_late', 'run_id', $2::text, 'tool_call_id', 'call_late'))).*
       FROM interrupts i WHERE id = $1`,
      [asked?.id, runId],
    );
    const yes = { status: 'resolved', payload: { approved: true } };
    const resume = [{ interruptId: asked?.id, ...yes }];
    const answer = await agent.person.post('/agent/runs', { threadId, resume });
    expect([answer.status, answer.body.code]).toEqual([202, undefined]);
    for await (const _ of agent.person.frames(`/agent/runs/${threadId}/events`)) continue;
    expect(await agent.pending(threadId)).toEqual([]);
    expect(await agent.notes()).toContain('answered');
    await agent.check(threadId);
  });
});
