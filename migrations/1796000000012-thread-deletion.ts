import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A thread takes the records of its calls and its credentials with it. The database sees to it, so
 * that nothing is left behind by a call that ends while its thread is being deleted.
 */
export class ThreadDeletion1796000000012 implements MigrationInterface {
  name = 'ThreadDeletion1796000000012';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE tool_calls ADD COLUMN thread_id text');
    await queryRunner.query(
      `UPDATE tool_calls SET thread_id = run.thread_id
       FROM agent_runs run WHERE run.id = tool_calls.run_id`,
    );
    // What deleted threads have left behind until now.
    await queryRunner.query(
      'DELETE FROM tool_calls WHERE run_id IS NOT NULL AND thread_id IS NULL',
    );
    await queryRunner.query(
      `DELETE FROM credentials WHERE thread_id IS NOT NULL
         AND NOT EXISTS (SELECT FROM agent_threads thread WHERE thread.id = credentials.thread_id)`,
    );
    await queryRunner.query(`
      ALTER TABLE tool_calls ADD CONSTRAINT tool_calls_thread_fk FOREIGN KEY (thread_id)
        REFERENCES agent_threads (id) ON DELETE CASCADE`);
    await queryRunner.query('CREATE INDEX tool_calls_thread_idx ON tool_calls (thread_id)');
    await queryRunner.query(`
      ALTER TABLE credentials ADD CONSTRAINT credentials_thread_fk FOREIGN KEY (thread_id)
        REFERENCES agent_threads (id) ON DELETE CASCADE`);
    await queryRunner.query('CREATE INDEX ix_credentials_thread ON credentials (thread_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX ix_credentials_thread');
    await queryRunner.query('ALTER TABLE credentials DROP CONSTRAINT credentials_thread_fk');
    await queryRunner.query('ALTER TABLE tool_calls DROP COLUMN thread_id');
  }
}
