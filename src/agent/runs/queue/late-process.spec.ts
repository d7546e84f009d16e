import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { callsTool, says } from '../../../../test/support/agent-app.js';
import { startAskingApp, type AskingApp } from '../../../../test/support/asking-app.js';
import { RunCreation } from '../creation/run-creation.js';
import { RunCloser } from '../execution/run-closer.js';
import { RunRepository } from '../run.repository.js';
import { WaitingRuns } from '../waiting/waiting-runs.js';
import { RunDispatcher } from './run-dispatcher.js';
import { RunStarts } from './run-starts.js';

const ADD = { module: 'notes', method: 'add', input: { text: 'x' } };

/**
 * A process that stands still for longer than its lease goes on as if nothing had been, and may claim what it
 * holds itself: all that it writes is written as its holder, so that nothing else keeps two executions apart.
 */
describe('a process that goes on when its lease is over', () => {
  let agent: AskingApp;

  beforeAll(async () => {
    agent = await startAskingApp();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => agent.close());

  /** As time does while the process stands still. */
  const endLeases = () =>
    agent.query(
      `UPDATE agent_runs SET lease_until = now() - interval '1 second'
       WHERE status IN ('queued', 'running')`,
    );
  const look = () => agent.app.get(RunDispatcher).look();

  /** What happens between the commit of a run and its execution from memory. */
  function betweenStoreAndStart(what: () => Promise<void> | void): void {
    const creation = agent.app.get(RunCreation);
    const store = creation.store.bind(creation);
    jest.spyOn(creation, 'store').mockImplementationOnce(async (...stored) => {
      const assignment = await store(...stored);
      await what();
      return assignment;
    });
  }

  it('executes once what it has stored, and has claimed before it began', async () => {
    const before = agent.model.requests.length;
    let go = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      go = resolve;
    });
    let answer = (): void => undefined;
    const both = new Promise<void>((resolve) => {
      answer = resolve;
    });
    agent.model.turns = [
      async function* first() {
        go();
        await both;
        yield* says('Once.');
      },
      says('Twice.'),
    ];
    const [starts, runs] = [agent.app.get(RunStarts), agent.app.get(RunRepository)];
    const [stored, find] = [starts.stored.bind(starts), runs.find.bind(runs)];
    // The claimed one is read when that from memory asks its model, or is not executed.
    jest.spyOn(starts, 'stored').mockImplementationOnce(async (assignment) => {
      const ended = stored(assignment);
      await Promise.race([asked, ended]);
      go();
      await ended;
    });
    betweenStoreAndStart(async () => {
      await endLeases();
      jest.spyOn(runs, 'find').mockImplementationOnce(async (key) => {
        await asked;
        const found = await find(key);
        setImmediate(answer);
        return found;
      });
      await look();
    });
    const { threadId } = await agent.person.say('please');
    await agent.check(threadId);
    expect((await agent.events(threadId)).at(-1)).toMatchObject({ outcome: 'success' });
    expect(agent.model.requests).toHaveLength(before + 1);
  });

  it('leaves to a claim what it has stored so long ago that its lease may be over', async () => {
    agent.model.turns = [says('Claimed.')];
    const stored = jest.spyOn(agent.app.get(RunStarts), 'stored');
    betweenStoreAndStart(async () => {
      await endLeases();
      const now = Date.now();
      const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 600_000);
      setImmediate(() => clock.mockRestore());
    });
    const { threadId } = await agent.person.say('please');
    await agent.check(threadId);
    expect((await agent.events(threadId)).at(-1)).toMatchObject({ outcome: 'success' });
    expect(stored).not.toHaveBeenCalled();
  });

  it('does not claim the run that it is closing another one with', async () => {
    agent.model.turns = [callsTool(ADD)];
    const { threadId, runId } = await agent.person.say('please');
    const finish = jest.spyOn(agent.app.get(WaitingRuns), 'finish');
    const closer = agent.app.get(RunCloser);
    const close = closer.close.bind(closer);
    jest.spyOn(closer, 'close').mockImplementationOnce(async (...closed) => {
      await endLeases();
      await look();
      await close(...closed);
    });
    await agent.person.post(`/agent/runs/${runId}/cancel`, {});
    for await (const _frame of agent.person.frames(`/agent/runs/${threadId}/events`)) continue;
    await agent.check(threadId);
    expect((await agent.events(threadId)).at(-1)).toMatchObject({ outcome: 'cancelled' });
    expect(finish).not.toHaveBeenCalled();
  });
});
