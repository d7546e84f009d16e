import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What of its thread a run's model was shown, and files that people attach to messages. The object of
 * a deleted row is noted for deletion by the database itself, because rows also go by cascade.
 */
export class RunContextAndAttachments1796000000017 implements MigrationInterface {
  name = 'RunContextAndAttachments1796000000017';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE agent_runs ADD COLUMN context jsonb`);
    await queryRunner.query(`
      CREATE TABLE attachments (
        id text NOT NULL,
        user_id text NOT NULL,
        thread_id text,
        name text NOT NULL,
        media_type text NOT NULL,
        bytes integer NOT NULL,
        sha256 text NOT NULL,
        storage_path text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT attachments_pk PRIMARY KEY (id),
        CONSTRAINT attachments_storage_path UNIQUE (storage_path),
        CONSTRAINT attachments_bytes CHECK (bytes > 0),
        CONSTRAINT attachments_thread_fk FOREIGN KEY (thread_id)
          REFERENCES agent_threads (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX attachments_user ON attachments (user_id)`);
    await queryRunner.query(`CREATE INDEX attachments_thread ON attachments (thread_id)`);
    await queryRunner.query(
      `CREATE INDEX attachments_unused ON attachments (created_at) WHERE thread_id IS NULL`,
    );
    await queryRunner.query(`
      CREATE FUNCTION note_deleted_attachment_objects() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO object_deletions (key) SELECT storage_path FROM gone ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER attachments_objects AFTER DELETE ON attachments
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
      EXECUTE FUNCTION note_deleted_attachment_objects()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE attachments');
    await queryRunner.query('DROP FUNCTION note_deleted_attachment_objects()');
    await queryRunner.query('ALTER TABLE agent_runs DROP COLUMN context');
  }
}
