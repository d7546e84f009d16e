import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { startAgentApp, type AgentApp } from '../../../../test/support/agent-app.js';
import { RunCensusRepository } from './run-census.repository.js';

describe('RunCensusRepository', () => {
  let agent: AgentApp;
  let census: RunCensusRepository;

  /** Of each kind three runs, of which the oldest that is queued was made an hour ago. */
  beforeAll(async () => {
    agent = await startAgentApp({ ROLE: 'api', RUN_MAX_ACTIVE_PER_USER: '9' });
    census = agent.app.get(RunCensusRepository);
    const client = await agent.client().register();
    const dataSource = agent.app.get(DataSource);
    for (let n = 0; n < 9; n += 1) {
      const { body } = await client.post('/agent/runs', { message: 'go' });
      const [state] = [
        `created_at = created_at - interval '1 hour', fair_at = fair_at - interval '1 hour'`,
        `instance_id = 'other', lease_until = now() + interval '1 hour'`,
        `status = 'waiting', open_calls = '[]', waiting_until = now() + interval '1 hour'`,
      ].slice(n % 3);
      await dataSource.query(`UPDATE agent_runs SET ${state} WHERE id = $1`, [body['runId']]);
    }
  });
  afterAll(() => agent.close());

  it('counts runs by what they wait for', async () => {
    const { oldestQueuedSeconds, ...counts } = await census.count();
    expect(counts).toEqual({ queued: 3, running: 3, waiting: 3 });
    expect(oldestQueuedSeconds).toBeGreaterThanOrEqual(3600);
  });

  it('counts so many of each kind at most, however many there are', async () => {
    expect(await census.count(2)).toMatchObject({ queued: 2, running: 2, waiting: 2 });
  });
});
