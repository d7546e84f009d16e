import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the runs took that a run goes on from for its client's answers, and the calls that one counted which
 * waits: the limits of a run hold for all of them together.
 */
export class RunSpending1796000000035 implements MigrationInterface {
  name = 'RunSpending1796000000035';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE agent_runs ADD COLUMN spent_before jsonb, ADD COLUMN counted_calls jsonb`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE agent_runs DROP COLUMN spent_before, DROP COLUMN counted_calls',
    );
  }
}
