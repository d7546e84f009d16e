import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callsTool, says } from '../support/agent-app.js';
import { startAskingApp, type AskingApp } from '../support/asking-app.js';
import { collectComplaints } from '../support/console-complaints.js';
import { STOCK_CLIENTS, type ClientMessage, type ResumeEntry } from './stock-clients.js';

const add = (text: string) => ({ module: 'notes', method: 'add', input: { text } });

describe.each(Object.keys(STOCK_CLIENTS))('interrupts and stock @ag-ui/client %s', (version) => {
  const client = STOCK_CLIENTS[version];
  const complaints = collectComplaints();
  let agent: AskingApp;

  beforeAll(async () => {
    agent = await startAskingApp();
  });
  afterAll(() => agent.close());

  const run = async (threadId: string, messages: ClientMessage[], resume?: ResumeEntry[]) => {
    const done = await client?.({
      url: `${agent.url}/api/v1/agent/runs`,
      headers: { authorization: `Bearer ${agent.person.token}` },
      threadId,
      runId: `run-${messages.length}-${threadId}`,
      messages,
      ...(resume && { resume }),
    });
    if (!done) throw new Error('no client');
    expect(complaints).toEqual([]);
    expect(done.failure).toBeNull();
    return done;
  };
  const question: ClientMessage[] = [{ id: 'q', role: 'user', content: 'add two notes' }];

  it('are understood, answered one after another, and leave what a snapshot has', async () => {
    const threadId = `asked-${version}`;
    agent.model.turns = [callsTool(add('a'), add('b')), says('One of them.')];
    const asked = await run(threadId, question);
    const [first] = asked.pending;
    expect(await agent.pending(threadId)).toEqual([first]);
    expect(asked.types.at(-1)).toBe('RUN_FINISHED');
    const calls = asked.messages.at(-1)?.toolCalls?.map(({ id }) => id);
    expect(calls).toHaveLength(2);
    expect(first?.toolCallId).toBe(calls?.[0]);

    const yes = { interruptId: first?.id ?? '', status: 'resolved', payload: { approved: true } };
    const again = await run(threadId, asked.messages, [yes as ResumeEntry]);
    expect(again.types).toEqual([
      'RUN_STARTED',
      'STEP_STARTED',
      'STATE_SNAPSHOT',
      'TOOL_CALL_RESULT',
      'STEP_FINISHED',
      'STATE_DELTA',
      'RUN_FINISHED',
    ]);
    const [second] = again.pending;
    expect(second?.toolCallId).toBe(calls?.[1]);
    const last = await run(threadId, again.messages, [
      { interruptId: second?.id ?? '', status: 'cancelled' },
    ]);
    expect(last.pending).toEqual([]);
    expect(last.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
    ]);
    expect(last.messages.flatMap(({ toolCallId }) => toolCallId ?? [])).toEqual(calls);
    const { body } = await agent.person.get(`/agent/runs/${threadId}/history?encoding=agui`);
    expect(body).not.toHaveProperty('metadata');
    const ids = (messages: ClientMessage[]) => messages.map(({ id, role }) => [id, role]);
    expect(ids(body['messages'] as ClientMessage[])).toEqual(ids(last.messages));
    expect(await agent.notes()).toEqual(['a']);
    await agent.check(threadId);
  });

  it('are found in a snapshot by a client that was not there', async () => {
    const threadId = `found-${version}`;
    agent.model.turns = [callsTool(add('c')), says('Done.')];
    await run(threadId, question);
    const { body } = await agent.person.get(`/agent/runs/${threadId}/history?encoding=agui`);
    const metadata = body['metadata'] as { interrupts: { id: string }[] };
    const resume = metadata.interrupts.map(({ id: interruptId }): ResumeEntry => {
      return { interruptId, status: 'resolved', payload: { approved: true } };
    });
    const done = await run(threadId, body['messages'] as ClientMessage[], resume);
    expect(done.messages.at(-2)).toMatchObject({ role: 'tool', metadata: { status: 'success' } });
    expect(done.messages.at(-1)).toMatchObject({ content: 'Done.' });
    await agent.check(threadId);
  });
});
