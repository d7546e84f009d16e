import type { MigrationInterface, QueryRunner } from 'typeorm';

const ACTIVE = `status IN ('queued', 'running')`;

/**
 * The queue of runs is their rows: one that no process holds has no `instance_id`, and they are
 * claimed in the order of `fair_at`.
 */
export class RunQueue1796000000028 implements MigrationInterface {
  name = 'RunQueue1796000000028';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE agent_runs
        ALTER COLUMN instance_id DROP NOT NULL,
        ADD COLUMN attempts integer NOT NULL DEFAULT 0,
        ADD COLUMN fair_at timestamptz(3)`);
    await queryRunner.query('UPDATE agent_runs SET fair_at = created_at');
    await queryRunner.query('ALTER TABLE agent_runs ALTER COLUMN fair_at SET NOT NULL');
    await queryRunner.query('DROP INDEX agent_runs_lease');
    await queryRunner.query(`CREATE INDEX agent_runs_fair ON agent_runs (fair_at) WHERE ${ACTIVE}`);
    await queryRunner.query(
      `CREATE INDEX agent_runs_active ON agent_runs (user_id) WHERE ${ACTIVE}`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX agent_runs_active');
    await queryRunner.query('DROP INDEX agent_runs_fair');
    await queryRunner.query(
      `CREATE INDEX agent_runs_lease ON agent_runs (lease_until) WHERE ${ACTIVE}`,
    );
    // A run that waits is that of a process that is gone.
    await queryRunner.query(`UPDATE agent_runs SET instance_id = '' WHERE instance_id IS NULL`);
    await queryRunner.query(`
      ALTER TABLE agent_runs
        ALTER COLUMN instance_id SET NOT NULL, DROP COLUMN attempts, DROP COLUMN fair_at`);
  }
}
