import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What else a run takes along from one process to another: the trace that it belongs to, and the tokens
 * of turns whose model did not report any.
 */
export class RunHandOver1796000000034 implements MigrationInterface {
  name = 'RunHandOver1796000000034';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE agent_runs
        ADD COLUMN traceparent text,
        ADD COLUMN unreported_tokens integer NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE agent_runs DROP COLUMN traceparent, DROP COLUMN unreported_tokens',
    );
  }
}
