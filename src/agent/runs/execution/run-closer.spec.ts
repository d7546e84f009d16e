import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { hangs, startAgentApp, type AgentApp } from '../../../../test/support/agent-app.js';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { loseRun, untilLetGo } from '../../../../test/support/lost-run.js';
import { untilWaitedFor } from '../../../../test/support/row-hold.js';
import { RunLostError } from '../../../events/run-lost-error.js';
import { INSTANCE_ID } from '../queue/run-leases.js';
import { RunRepository } from '../run.repository.js';
import { RunService } from '../run.service.js';
import type { Run } from '../run.js';
import { RunCloser } from './run-closer.js';
import { cancelled } from './run-ending.js';

/**
 * Whoever ends a run, in whichever way, and whoever cancels it takes the run before its credential. Two
 * replicas stand in for the one process that holds a run, so that its ways to end it meet in the database.
 */
describe('the ends of a run', () => {
  let here: AgentApp;
  let there: AgentApp;
  let client: ApiClient;
  let holder: string;

  beforeAll(async () => {
    const env = { RUN_LEASE_SECONDS: '300' };
    here = await startAgentApp(env);
    there = await startAgentApp(env, { replicaOf: here });
    client = await here.client().register({ locale: 'en' });
    holder = here.app.get<string>(INSTANCE_ID);
    Object.assign(there.app.get(RunCloser), { instanceId: holder });
  });
  afterAll(async () => {
    await there.close();
    await here.close();
  });

  /** A run that both replicas may end, and that nobody executes. */
  async function held(): Promise<Run> {
    for (const { model } of [here, there]) model.turns = [hangs];
    const { status, body } = await client.post('/agent/runs', { message: 'go' });
    expect(status).toBe(202);
    const { runId } = body as { runId: string };
    await loseRun([here, there], runId);
    await untilLetGo([here, there], runId);
    await here.app
      .get(DataSource)
      .query('UPDATE agent_runs SET instance_id = $2 WHERE id = $1', [runId, holder]);
    const run = await here.app.get(RunRepository).find({ userId: client.userId, id: runId });
    if (!run) throw new Error('there is no such run');
    return run;
  }

  const ways = {
    bare: (run: Run) =>
      here.app.get(RunCloser).closeWithErrorOnly(run, cancelled(run.threadId, null)),
    'from its events': (run: Run) =>
      there.app.get(RunCloser).closeFromLog(run, cancelled(run.threadId, null)),
    'by a cancel': (run: Run) => there.app.get(RunService).cancel(run.userId, run.id),
  };
  type Way = keyof typeof ways;

  it.each<[Way, Way]>([
    ['bare', 'from its events'],
    ['from its events', 'bare'],
    ['bare', 'by a cancel'],
    ['by a cancel', 'bare'],
    ['from its events', 'by a cancel'],
    ['by a cancel', 'from its events'],
  ])('%s and %s at the same time do not wait for each other in a circle', async (first, second) => {
    const run = await held();
    const dataSource = here.app.get(DataSource);
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT id FROM agent_runs WHERE id = $1 FOR UPDATE', [run.id]);
    const one = ways[first](run);
    await untilWaitedFor(dataSource);
    const other = ways[second](run);
    await untilWaitedFor(dataSource, 2);
    await runner.query('COMMIT');
    const results = await Promise.allSettled([one, other]);
    await runner.release();
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(RunLostError);
    }
    const types = (await here.events(run.threadId)).map(({ type }) => type);
    expect(types.filter((type) => /^RUN_(FINISHED|ERROR)$/.test(type))).toEqual([types.at(-1)]);
  });

  it('find a run that has ended already, and leave it alone', async () => {
    const run = await held();
    const ending = cancelled(run.threadId, null);
    await here.app.get(RunCloser).closeFromLog(run, ending);
    const before = await here.events(run.threadId);
    const closer = there.app.get(RunCloser);
    await expect(closer.closeFromLog(run, ending)).rejects.toBeInstanceOf(RunLostError);
    await expect(closer.closeWithErrorOnly(run, ending)).rejects.toBeInstanceOf(RunLostError);
    expect(await here.events(run.threadId)).toEqual(before);
  });
});
