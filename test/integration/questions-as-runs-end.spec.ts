import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { RunInterrupts } from '../../src/agent/runs/waiting/run-interrupts.js';
import { CallPermits } from '../../src/interrupts/call-permits.js';
import { InterruptRepository } from '../../src/interrupts/interrupt.repository.js';
import { callsTool } from '../support/agent-app.js';
import { startAskingApp, type AskingApp } from '../support/asking-app.js';
import { loseRun, takeUp } from '../support/lost-run.js';
import { untilWaitedFor } from '../support/row-hold.js';

const ADD = { module: 'notes', method: 'add', input: { text: 'asked' } };
const PAINT = { module: 'notes', method: 'paint', input: {} };

/** A promise, and what settles it. */
function promised<T>() {
  let resolve: (value: T | PromiseLike<T>) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A call comes to ask its person in the moment in which its run ends: nobody is left to be answered. */
describe.each([
  ['an approval', ADD],
  ['a question', PAINT],
])('%s that is asked for as the run ends', (_what, call) => {
  let agent: AskingApp;
  let dataSource: DataSource;

  beforeAll(async () => {
    agent = await startAskingApp();
    dataSource = agent.app.get(DataSource, { strict: false });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => agent.close());

  const get = <T>(type: abstract new (...args: never[]) => T): T =>
    agent.app.get<T>(type, { strict: false });

  async function start() {
    agent.model.turns = [callsTool(call)];
    const { body } = await agent.person.post('/agent/runs', { message: 'please' });
    return body as { runId: string; threadId: string };
  }
  const cancel = (runId: string) => agent.person.post(`/agent/runs/${runId}/cancel`, {});
  async function expectSettled(threadId: string, statuses: string[]): Promise<void> {
    for await (const frame of agent.person.frames(`/agent/runs/${threadId}/events`)) void frame;
    const sql = 'SELECT status FROM interrupts WHERE thread_id = $1';
    const rows = await agent.query<{ status: string }>(sql, [threadId]);
    expect(rows.map(({ status }) => status)).toEqual(statuses);
    expect(await agent.pending(threadId)).toEqual([]);
    await agent.check(threadId);
  }
  /** Holds the call up just before it asks. @returns what it comes to once it may go on. */
  function holdTheAsking() {
    const permits = get(CallPermits);
    const find = permits.find.bind(permits);
    const asks = promised<void>();
    const mayAsk = promised<void>();
    const outcome = promised<unknown>();
    jest.spyOn(permits, 'find').mockImplementation((...args) => {
      asks.resolve();
      const found = mayAsk.promise.then(() => find(...args));
      found.then(outcome.resolve, outcome.resolve);
      return found;
    });
    return { asks: asks.promise, goOn: mayAsk.resolve, outcome: outcome.promise };
  }

  it('is stored before the end, which ends it', async () => {
    const rows = get(InterruptRepository);
    const insert = rows.insertIfAbsent.bind(rows);
    const ended = promised<unknown>();
    jest.spyOn(rows, 'insertIfAbsent').mockImplementation(async (interrupt) => {
      const stored = await insert(interrupt);
      ended.resolve(cancel(String(interrupt.runId)));
      await untilWaitedFor(dataSource);
      return stored;
    });
    const { threadId } = await start();
    expect(await ended.promise).toMatchObject({ status: 202 });
    await expectSettled(threadId, ['cancelled']);
  });

  it('is not stored after the end', async () => {
    const { asks, goOn, outcome } = holdTheAsking();
    const { runId, threadId } = await start();
    await asks;
    await cancel(runId);
    for await (const frame of agent.person.frames(`/agent/runs/${threadId}/events`)) void frame;
    goOn();
    expect(await outcome).toMatchObject({ code: 'CREDENTIAL_REVOKED' });
    await expectSettled(threadId, []);
  });

  it('is not stored while the end commits, behind the look for what was asked', async () => {
    const { asks, goOn, outcome } = holdTheAsking();
    const { runId, threadId } = await start();
    await asks;
    const interrupts = get(RunInterrupts);
    const end = interrupts.endUnawaited.bind(interrupts);
    jest.spyOn(interrupts, 'endUnawaited').mockImplementation(async (...args) => {
      await end(...args);
      goOn();
      await untilWaitedFor(dataSource);
    });
    // Nobody has cancelled it: its process died, and nobody else is to try.
    await agent.query('UPDATE agent_runs SET attempts = 3 WHERE id = $1', [runId]);
    await loseRun([agent], runId);
    await takeUp(agent);
    expect(await outcome).toMatchObject({ code: 'CREDENTIAL_REVOKED' });
    await expectSettled(threadId, []);
  });
});
