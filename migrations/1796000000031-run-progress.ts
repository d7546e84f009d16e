import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How far a run has come, as far as its events do not say it: with that another process can go on with
 * it. Written with the event that ends a turn of the model.
 */
export class RunProgress1796000000031 implements MigrationInterface {
  name = 'RunProgress1796000000031';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE agent_runs
        ADD COLUMN turns integer NOT NULL DEFAULT 0,
        ADD COLUMN refused_calls json`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE agent_runs DROP COLUMN turns, DROP COLUMN refused_calls');
  }
}
