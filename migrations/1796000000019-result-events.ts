import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A record that moves to the object store finds the event that tells of it, however long its thread. */
export class ResultEvents1796000000019 implements MigrationInterface {
  name = 'ResultEvents1796000000019';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX agent_events_results ON agent_events (thread_id, run_id)
      WHERE type = 'TOOL_CALL_RESULT'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX agent_events_results');
  }
}
