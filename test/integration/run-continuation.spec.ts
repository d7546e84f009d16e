import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChatChunk, ChatRequest } from '../../src/agent/models/chat-model.js';
import type { NewRunEvent } from '../../src/events/run-event.js';
import { callsTool, hangs, says, type ScriptedTurn } from '../support/agent-app.js';
import type { StreamFrame } from '../support/api-client.js';
import { startAskingApp, type AskingApp } from '../support/asking-app.js';
import { grammarFaults } from '../support/run-grammar.js';
import { TableHold } from '../support/table-hold.js';
import { loseAt, loseRun, takeUp, untilLetGo, type Moment } from '../support/lost-run.js';

const keep = (text: string) => ({ module: 'notes', method: 'keep', input: { text } });
const add = (text: string) => ({ module: 'notes', method: 'add', input: { text } });
const isA = (type: NewRunEvent['type']) => (event: NewRunEvent) => event.type === type;
const entering = (stage: string) => (event: NewRunEvent) =>
  event.type === 'STEP_STARTED' && event.stepName === stage;

/** Says something and makes two calls, then closes. */
const twoTurns = (...calls: object[]): ScriptedTurn =>
  async function* turn({ messages }: ChatRequest): AsyncGenerator<ChatChunk, void, void> {
    if (messages.at(-1)?.role === 'tool') return yield* says('All ', 'done.');
    yield { type: 'text', delta: 'Let me ' };
    yield { type: 'text', delta: 'look.' };
    yield* callsTool(...calls);
  };
/** Says the beginning of a turn, and then nothing more. */
const breaksOff = (...deltas: string[]): ScriptedTurn =>
  async function* turn(): AsyncGenerator<ChatChunk, void, void> {
    for (const delta of deltas) yield { type: 'text', delta };
    yield* hangs();
  };

interface Case {
  name: string;
  moment: Moment;
  /** What the model does the first time; else what it does again. */
  first?: ScriptedTurn[];
  again?: ScriptedTurn;
  /** Texts of the run's messages; a broken off one ends with an ellipsis. */
  texts?: string[];
}

const CASES: Case[] = [
  { name: 'has been accepted', moment: { at: 'before', event: entering('intent') } },
  { name: 'has asked the model', moment: { at: 'after', event: entering('intent') } },
  {
    name: 'has said half a sentence, and says the same again',
    moment: { at: 'after', event: isA('TEXT_MESSAGE_CONTENT') },
    first: [breaksOff('Let m')],
  },
  {
    name: 'has said half a sentence, and says another one',
    moment: { at: 'after', event: isA('TEXT_MESSAGE_CONTENT') },
    first: [breaksOff('Let us go, ')],
    texts: ['Let us go, …', 'Let me look.', 'All done.'],
  },
  {
    name: 'has said more than it says again',
    moment: { at: 'after', event: isA('TEXT_MESSAGE_CONTENT') },
    first: [breaksOff('Let me look. And')],
    texts: ['Let me look. And…', 'Let me look.', 'All done.'],
  },
  {
    name: 'has said half a sentence, and calls at once',
    moment: { at: 'after', event: isA('TEXT_MESSAGE_CONTENT') },
    first: [breaksOff('Let me, ')],
    again: async function* turn({ messages }) {
      if (messages.at(-1)?.role === 'tool') yield* says('All done.');
      else yield* callsTool(keep('one'), keep('two'));
    },
    texts: ['Let me, …', 'All done.'],
  },
  { name: 'has announced its calls', moment: { at: 'after', event: isA('TOOL_CALL_END') } },
  {
    name: 'has recorded a call and told nobody',
    moment: { at: 'before', event: isA('TOOL_CALL_RESULT') },
  },
  {
    name: 'has told of one call of two',
    moment: { at: 'after', event: isA('TOOL_CALL_RESULT') },
  },
  {
    name: 'has recorded its second call and told nobody',
    moment: { at: 'before', event: isA('TOOL_CALL_RESULT'), nth: 1 },
  },
  {
    name: 'has told of all its calls',
    moment: { at: 'after', event: isA('TOOL_CALL_RESULT'), nth: 1 },
  },
  {
    name: 'has said all but the end of its answer',
    moment: { at: 'before', event: isA('TEXT_MESSAGE_END'), nth: 1 },
  },
  {
    name: 'has answered and not ended',
    moment: { at: 'before', event: isA('RUN_FINISHED') },
  },
  { name: 'has ended', moment: { at: 'after', event: isA('RUN_FINISHED') } },
];

/** Runs whose process loses them, and the process that goes on with them. */
describe('a run whose process is gone when it', () => {
  let one: AskingApp;
  let other: AskingApp;

  beforeAll(async () => {
    one = await startAskingApp();
    other = await startAskingApp(one);
  });
  afterEach(async () => {
    one.model.turns = [];
    other.model.turns = [];
    await one.query('DELETE FROM notes');
  });
  afterAll(async () => {
    await other.close();
    await one.close();
  });

  const script = (first: ScriptedTurn[], again: ScriptedTurn): void => {
    const rest = Array.from({ length: 6 }, () => again);
    // Either process may take the run first.
    one.model.turns = [...first, ...rest];
    other.model.turns = one.model.turns;
  };
  const start = async (path = {}) => {
    const { status, body } = await one.person.post('/agent/runs', { message: 'please', ...path });
    expect(status).toBe(202);
    return body as { threadId: string; runId: string };
  };
  const goOn = async (runId: string) => {
    await untilLetGo([one, other], runId);
    await takeUp(other);
  };
  const follow = async (app: AskingApp, threadId: string, after: string) => {
    const frames: StreamFrame[] = [];
    const headers = { 'last-event-id': after };
    for await (const frame of app.person.frames(`/agent/runs/${threadId}/events`, { headers })) {
      frames.push(frame);
    }
    return frames;
  };
  /** What a client gets that is with one process until the run is lost, and then with the other. */
  async function stream(threadId: string, runId: string, lost: Promise<void>) {
    const seen: StreamFrame[] = [];
    const leave = new AbortController();
    const headers = { 'last-event-id': '0' };
    const reading = (async () => {
      const init = { headers, signal: leave.signal };
      for await (const frame of one.person.frames(`/agent/runs/${threadId}/events`, init)) {
        seen.push(frame);
      }
    })().catch((error: unknown) => {
      if (!leave.signal.aborted) throw error;
    });
    await lost;
    leave.abort();
    await reading;
    await goOn(runId);
    const rest = await follow(other, threadId, seen.at(-1)?.id ?? '0');
    const all = [...seen, ...rest];
    expect(all.map(({ id }) => Number(id))).toEqual(all.map((_frame, index) => index + 1));
    expect(await follow(other, threadId, '0')).toEqual(all);
    return all.map(({ event }) => event);
  }
  const texts = async (threadId: string) =>
    (
      await one.query<{ content: string; metadata: { interrupted?: true } }>(
        `SELECT content, metadata FROM agent_messages
         WHERE thread_id = $1 AND role = 'assistant' AND content <> '' ORDER BY seq`,
        [threadId],
      )
    ).map(({ content, metadata }) => (metadata.interrupted ? `${content}…` : content));

  it.each(CASES)('$name', async ({ moment, first = [], again, texts: expected }) => {
    script(first, again ?? twoTurns(keep('one'), keep('two')));
    const lost = loseAt([one, other], moment);
    const { threadId, runId } = await start();
    const events = await stream(threadId, runId, lost);
    expect(events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: 'success',
      usage: { inputTokens: 20, outputTokens: 4 },
    });
    expect(await one.notes()).toEqual(['one', 'two']);
    expect(await one.query('SELECT 1 FROM tool_calls WHERE run_id = $1', [runId])).toHaveLength(2);
    expect(await texts(threadId)).toEqual(expected ?? ['Let me look.', 'All done.']);
    await other.check(threadId);
    expect(await other.status(runId)).toBe('succeeded');
  });

  it('waits for a row in a call: the call is done once, and its record is what the other gets', async () => {
    script([], twoTurns(keep('one')));
    const holder = await TableHold.take(one.databaseUrl, 'notes');
    const { threadId, runId } = await start();
    await holder.untilWaitedFor();
    await loseRun([one, other], runId);
    // The one that lost it still waits in the call when the other asks for the same.
    await takeUp(other);
    await holder.release();
    const events = (await follow(other, threadId, '0')).map(({ event }) => event);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
    expect(events.filter(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject([
      { status: 'success' },
    ]);
    expect(await one.notes()).toEqual(['one']);
    await other.check(threadId);
  });

  it.each([
    { name: 'has asked, and does not wait yet', at: 'before' as const },
    { name: 'waits for an answer', at: 'after' as const },
  ])('$name: the person is asked once, and an answer goes on', async ({ at }) => {
    script([], twoTurns(add('one')));
    const lost = loseAt([one, other], { at, event: isA('RUN_FINISHED') });
    const { threadId, runId } = await start();
    const events = await stream(threadId, runId, lost);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'interrupt' });
    expect(await one.query('SELECT 1 FROM interrupts WHERE run_id = $1', [runId])).toHaveLength(1);
    expect(await other.status(runId)).toBe('waiting');
    const resumed = await other.answer(threadId, { approved: true });
    expect(resumed.events.at(-1)).toMatchObject({ outcome: 'success' });
    expect(await one.notes()).toEqual(['one']);
    await other.check(threadId);
  });

  it.each([
    { name: 'before', moment: { at: 'before' as const, event: entering('execution') } },
    { name: 'while', moment: { at: 'after' as const, event: entering('execution') } },
    { name: 'after', moment: { at: 'before' as const, event: isA('TOOL_CALL_RESULT') } },
  ])(
    'goes on with an answer, $name the call: it is executed as the person edited it',
    async (c) => {
      script([], twoTurns(add('draft'), add('denied')));
      const { threadId } = await start();
      await follow(one, threadId, '0');
      const lost = loseAt([one, other], c.moment);
      const [asked] = await one.pending(threadId);
      const editedArgs = { text: 'final' };
      const resume = [
        { interruptId: asked?.id, status: 'resolved', payload: { approved: true, editedArgs } },
      ];
      const { status, body } = await one.person.post('/agent/runs', { threadId, resume });
      expect(status).toBe(202);
      await lost;
      await goOn(String(body['runId']));
      await follow(other, threadId, '0');
      expect(await other.status(String(body['runId']))).toBe('waiting');
      const refused = await other.answer(threadId, { approved: false, reason: 'no' });
      expect(refused.events.at(-1)).toMatchObject({ outcome: 'success' });
      expect(await one.notes()).toEqual(['final']);
      await other.check(threadId);
    },
  );

  it('acts under a sign-in that has ended meanwhile: it ends, and does nothing more', async () => {
    script([], twoTurns(keep('one'), keep('two')));
    const person = await one.client().register({ locale: 'en' });
    const lost = loseAt([one, other], { at: 'after', event: isA('TOOL_CALL_RESULT') });
    const answer = await person.post('/agent/runs', { message: 'please' });
    const { threadId, runId } = answer.body as { threadId: string; runId: string };
    await lost;
    await untilLetGo([one, other], runId);
    // In the row alone: no process hears of it.
    await one.query(
      `UPDATE sessions SET ended_at = now(), end_reason = 'signed_out' WHERE user_id = $1`,
      [person.userId],
    );
    await takeUp(other);
    let events = await one.events(threadId);
    while (!events.some(({ type }) => /^RUN_(ERROR|FINISHED)$/.test(type))) {
      await delay(10);
      events = await one.events(threadId);
    }
    expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'CREDENTIAL_REVOKED' });
    expect(grammarFaults(events)).toEqual([]);
    expect(await one.notes()).toEqual(['one']);
  });
});
