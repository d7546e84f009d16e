import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An export reads one user's facts and history page by page, whoever else has any. By bytes, so that
 * the primary keys, which mix the users, cannot serve the order.
 */
export class MemoryPages1796000000014 implements MigrationInterface {
  name = 'MemoryPages1796000000014';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX memory_facts_user_id ON memory_facts (user_id, id COLLATE "C")`,
    );
    await queryRunner.query(
      `CREATE INDEX memory_history_user_fact ON memory_history (user_id, fact_id COLLATE "C", version)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX memory_history_user_fact');
    await queryRunner.query('DROP INDEX memory_facts_user_id');
  }
}
