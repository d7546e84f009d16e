import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Runs that wait for a person, and the runs that go on with them. No process holds a waiting run, so
 * it has no place among the leases. The scope of a run is kept for the one that goes on.
 */
export class WaitingRuns1796000000022 implements MigrationInterface {
  name = 'WaitingRuns1796000000022';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE agent_runs
        ADD COLUMN scope jsonb NOT NULL DEFAULT '["*"]',
        ADD COLUMN resumed_from text,
        ADD COLUMN open_calls json,
        ADD COLUMN waiting_until timestamptz(3),
        ADD CONSTRAINT agent_runs_waits
          CHECK (status <> 'waiting' OR num_nulls(open_calls, waiting_until) = 0)`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX agent_runs_resumed_once ON agent_runs (user_id, resumed_from)
      WHERE resumed_from IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX agent_runs_waiting ON agent_runs (waiting_until) WHERE status = 'waiting'`);
    await lease(queryRunner, `('queued', 'running')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE agent_runs SET status = 'cancelled' WHERE status = 'waiting'`);
    await lease(queryRunner, `('queued', 'running', 'waiting')`);
    await queryRunner.query('DROP INDEX agent_runs_waiting');
    await queryRunner.query('DROP INDEX agent_runs_resumed_once');
    await queryRunner.query(`
      ALTER TABLE agent_runs
        DROP CONSTRAINT agent_runs_waits,
        DROP COLUMN scope, DROP COLUMN resumed_from, DROP COLUMN open_calls, DROP COLUMN waiting_until`);
  }
}

async function lease(queryRunner: QueryRunner, statuses: string): Promise<void> {
  await queryRunner.query('DROP INDEX agent_runs_lease');
  await queryRunner.query(`
    CREATE INDEX agent_runs_lease ON agent_runs (lease_until) WHERE status IN ${statuses}`);
}
