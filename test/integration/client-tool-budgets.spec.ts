import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/common/ids.js';
import type { ChatChunk } from '../../src/agent/models/chat-model.js';
import { callsTool, says } from '../support/agent-app.js';
import { startAskingApp, type AskingApp } from '../support/asking-app.js';

const TOOLS = [{ name: 'show', description: 'Shows something.', parameters: { type: 'object' } }];
const show = (n?: number) => ({ module: 'client', method: 'show', input: n ? { n } : {} });
/** More runs than any limit lets a client's answers make. */
const ENOUGH = 20;

let app: AskingApp;

beforeAll(async () => {
  app = await startAskingApp(undefined, {
    RUN_MAX_TURNS: '7',
    RUN_MAX_IDENTICAL_CALLS: '3',
    RUN_MAX_CALLS: '8',
    RUN_MAX_TOKENS: '1000000',
  });
}, 60_000);
afterAll(() => app.close());
beforeEach(() => {
  app.model.turns = [];
});

const finish = async (threadId: string) => {
  let last: Record<string, unknown> = {};
  for await (const { event } of app.person.frames(`/agent/runs/${threadId}/events`)) last = event;
  return last;
};
const send = async (body: object) => {
  const { status, body: said } = await app.person.post('/agent/runs', body);
  if (status !== 202) throw new Error(JSON.stringify(said));
};

/** Says something, and answers whatever is called until a run does not wait. @returns how each ended. */
async function talk(threadId: string, turn: (n: number) => ChatChunk[]) {
  const ends: Record<string, unknown>[] = [];
  app.model.turns = Array.from({ length: ENOUGH }, (_, n) => turn(n + 1));
  await send({ threadId, message: 'show it', tools: TOOLS });
  for (let run = 1; run <= ENOUGH; run += 1) {
    const last = await finish(threadId);
    ends.push(last);
    const calls = (last['pendingCalls'] ?? []) as { toolCallId: string }[];
    if (calls.length === 0) return ends;
    const toolResults = calls.map(({ toolCallId }) => ({ toolCallId, content: 'shown' }));
    await send({ threadId, toolResults });
  }
  return ends;
}

/** A turn that calls and took as many tokens. */
const costs = (chunks: ChatChunk[], inputTokens: number): ChatChunk[] =>
  chunks.map((chunk) =>
    chunk.type === 'finish' ? { ...chunk, usage: { inputTokens, outputTokens: 0 } } : chunk,
  );

describe('runs that go on for a client’s answers', () => {
  it('may not make the same call for ever', async () => {
    const id = newId('thr');
    const ends = await talk(id, () => callsTool(show()));
    expect(ends).toHaveLength(3);
    expect(ends.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'LIMIT_EXCEEDED' });
    await app.check(id);
  });

  it('have the turns of one run together', async () => {
    const id = newId('thr');
    const ends = await talk(id, (n) => callsTool(show(n)));
    expect(ends).toHaveLength(7);
    expect(ends.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'LIMIT_EXCEEDED' });
    await app.check(id);
    // Each shows its own.
    const turns = await app.query('SELECT turns FROM agent_runs WHERE thread_id = $1', [id]);
    expect(turns).toEqual(Array.from({ length: 7 }, () => ({ turns: 1 })));
    // Something new that the person says begins anew.
    app.model.turns = [callsTool(show(1)), says('There.')];
    await send({ threadId: id, message: 'once more', tools: TOOLS });
    const [call] = (await finish(id))['pendingCalls'] as { toolCallId: string }[];
    await send({ threadId: id, toolResults: [{ toolCallId: call?.toolCallId, content: 'ok' }] });
    expect(await finish(id)).toMatchObject({ outcome: 'success' });
  });

  it('have the calls of one run together', async () => {
    const id = newId('thr');
    const ends = await talk(id, (n) => callsTool(show(3 * n), show(3 * n + 1), show(3 * n + 2)));
    expect(ends).toHaveLength(3);
    expect(ends.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'LIMIT_EXCEEDED' });
    await app.check(id);
  });

  it('have the tokens of one run together', async () => {
    const id = newId('thr');
    const ends = await talk(id, (n) => costs(callsTool(show(n)), 300_000));
    expect(ends).toHaveLength(4);
    expect(ends.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'LIMIT_EXCEEDED' });
    await app.check(id);
  });

  it('begin anew where a person decided in between', async () => {
    const id = newId('thr');
    const note = { module: 'notes', method: 'add', input: { text: 'x' } };
    app.model.turns = [callsTool(show(), note), callsTool(show()), callsTool(show())];
    await send({ threadId: id, message: 'show it', tools: TOOLS });
    await finish(id);
    for (const decided of [true, false]) {
      const body = await history(id);
      const toolResults = body.pendingCalls.map(({ toolCallId }) => ({ toolCallId, content: 1 }));
      const resume = body.interrupts.map((one) => ({
        interruptId: one.id,
        status: 'resolved',
        payload: { approved: true },
      }));
      await send({ threadId: id, toolResults, ...(decided && { resume }) });
      await finish(id);
    }
    const runs = await app.query(
      'SELECT spent_before FROM agent_runs WHERE thread_id = $1 ORDER BY created_at',
      [id],
    );
    expect(runs).toMatchObject([
      { spent_before: null },
      { spent_before: null },
      { spent_before: { turns: 1 } },
    ]);
  });
});

async function history(threadId: string) {
  const { body } = await app.person.get(`/agent/runs/${threadId}/history`);
  return body as {
    pendingCalls: { toolCallId: string }[];
    interrupts: { id: string }[];
  };
}
