import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A run id may come from an AG-UI client, so it is unique among the runs of its user only: what
 * others call theirs neither blocks a run nor can be found out. Events are told apart in their
 * thread, which is one user's.
 */
export class RunIdsOfAUser1796000000013 implements MigrationInterface {
  name = 'RunIdsOfAUser1796000000013';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE agent_runs DROP CONSTRAINT agent_runs_pk,
        ADD CONSTRAINT agent_runs_pk PRIMARY KEY (user_id, id)`);
    await keys(queryRunner, 'user_id, ', 'thread_id, ');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE agent_runs DROP CONSTRAINT agent_runs_pk,
        ADD CONSTRAINT agent_runs_pk PRIMARY KEY (id)`);
    await keys(queryRunner, '', '');
  }
}

/** Makes the indices of a run id anew, each beginning with the columns given. */
async function keys(queryRunner: QueryRunner, user: string, thread: string): Promise<void> {
  for (const name of [
    'tool_calls_run_call_key',
    'ix_credentials_run',
    'agent_events_one_start',
    'agent_events_one_terminal',
  ]) {
    await queryRunner.query(`DROP INDEX ${name}`);
  }
  await queryRunner.query(`
    CREATE UNIQUE INDEX tool_calls_run_call_key ON tool_calls (${user}run_id, tool_call_id)`);
  await queryRunner.query(`CREATE INDEX ix_credentials_run ON credentials (${user}run_id)`);
  await queryRunner.query(`
    CREATE UNIQUE INDEX agent_events_one_start ON agent_events (${thread}run_id)
    WHERE type = 'RUN_STARTED'`);
  await queryRunner.query(`
    CREATE UNIQUE INDEX agent_events_one_terminal ON agent_events (${thread}run_id)
    WHERE type IN ('RUN_FINISHED', 'RUN_ERROR')`);
}
