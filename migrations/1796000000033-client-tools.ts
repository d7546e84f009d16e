import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tools that a run's client brought, and the messages in which one answered calls of them. */
export class ClientTools1796000000033 implements MigrationInterface {
  name = 'ClientTools1796000000033';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE agent_runs ADD COLUMN client_tools json, ADD COLUMN answer_ids jsonb`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE agent_runs DROP COLUMN client_tools, DROP COLUMN answer_ids`);
  }
}
