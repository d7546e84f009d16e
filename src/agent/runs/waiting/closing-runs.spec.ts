import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { callsTool } from '../../../../test/support/agent-app.js';
import { startAskingApp, type AskingApp } from '../../../../test/support/asking-app.js';
import { loseRun, takeUp } from '../../../../test/support/lost-run.js';
import { RunCloser } from '../execution/run-closer.js';
import { RunDispatcher } from '../queue/run-dispatcher.js';
import { WaitingRuns } from './waiting-runs.js';

const ADD = { module: 'notes', method: 'add', input: { text: 'x' } };

describe('a run that tells of the end of one that waited, whose process could not', () => {
  let agent: AskingApp;

  beforeAll(async () => {
    agent = await startAskingApp();
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(() => agent.close());

  /** The closing run of a cancelled run, as its process leaves it that dies before it has told anything. */
  async function leftUntold() {
    agent.model.turns = [callsTool(ADD)];
    const { threadId, runId } = await agent.person.say('please');
    const close = jest.spyOn(agent.app.get(RunCloser), 'close');
    close.mockRejectedValueOnce(new Error('the process is gone'));
    await agent.person.post(`/agent/runs/${runId}/cancel`, {});
    expect(close).toHaveBeenCalledTimes(1);
    const [closingRun] = await agent.query<{ id: string; user_id: string }>(
      'SELECT id, user_id FROM agent_runs WHERE resumed_from = $1',
      [runId],
    );
    if (!closingRun) throw new Error('nobody tells of the end');
    await loseRun([agent], closingRun.id);
    return { threadId, key: { userId: closingRun.user_id, id: closingRun.id } };
  }
  async function ended(threadId: string) {
    for await (const _frame of agent.person.frames(`/agent/runs/${threadId}/events`)) continue;
    await agent.check(threadId);
    return (await agent.events(threadId)).at(-1);
  }

  it('is gone on with by another, and tells what that would have', async () => {
    const { threadId } = await leftUntold();
    await takeUp(agent);
    expect(await ended(threadId)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'cancelled' });
  });

  it.each(['executes', 'only ends'])(
    'is given up by who %s runs after as many attempts as any',
    async (who) => {
      const { threadId, key } = await leftUntold();
      const finish = jest
        .spyOn(agent.app.get(WaitingRuns), 'finish')
        .mockRejectedValue(new Error('a row that nobody understands'));
      if (who === 'executes') {
        await takeUp(agent);
      } else {
        // As in a process without places: it claims nothing by itself.
        const dispatcher = agent.app.get(RunDispatcher);
        jest.spyOn(dispatcher, 'look').mockResolvedValue();
        await agent.query(
          `UPDATE agent_runs SET attempts = 2, lease_until = now() - interval '1 second' WHERE id = $1`,
          [key.id],
        );
        expect(await dispatcher.endUnheld(key)).toBe(true);
      }
      expect(await ended(threadId)).toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
      // The process that died with it was the first of three.
      expect(finish).toHaveBeenCalledTimes(who === 'executes' ? 2 : 0);
    },
  );
});
