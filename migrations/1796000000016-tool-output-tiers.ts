import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Two tiers of tool outputs (PROTOCOL §9): a record may lie in the object store, and the rows then
 * say where. The database itself sees to it that no row says half of that, that the content of a
 * stored message is no JSON, and that the object of a deleted row is deleted after it.
 */
export class ToolOutputTiers1796000000016 implements MigrationInterface {
  name = 'ToolOutputTiers1796000000016';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE tool_calls
        ALTER COLUMN record DROP NOT NULL,
        ADD COLUMN storage_bucket text,
        ADD COLUMN storage_path text,
        ADD COLUMN payload_bytes integer,
        ADD COLUMN payload_sha256 text,
        ADD CONSTRAINT tool_calls_record_or_reference CHECK (
          num_nulls(storage_bucket, storage_path, payload_bytes, payload_sha256)
            = CASE WHEN record IS NULL THEN 0 ELSE 4 END)`);
    await queryRunner.query(`
      CREATE INDEX tool_calls_storage_path_idx ON tool_calls (storage_path)
      WHERE storage_path IS NOT NULL`);

    // json, not jsonb: jsonb would reorder the keys of a record that is still to be moved, and its
    // projection and its checksum would be others than those that were answered.
    await queryRunner.query(
      'ALTER TABLE agent_messages ALTER COLUMN metadata TYPE json USING metadata::json',
    );
    // A projection begins with its status. coalesce: a check that is NULL would pass.
    await queryRunner.query(`
      ALTER TABLE agent_messages
        ADD CONSTRAINT agent_messages_metadata CHECK (json_typeof(metadata) = 'object'),
        ADD CONSTRAINT agent_messages_tier CHECK (CASE WHEN role = 'tool' THEN coalesce(
          CASE
            WHEN metadata->>'storage_state' = 'inline' THEN starts_with(content, '{"status":"')
              AND json_typeof(metadata->'tool_agent_output') = 'object'
              AND metadata->'storage_path' IS NULL
            WHEN metadata->>'storage_state' = 'write_failed' THEN
              NOT starts_with(content, '{"status":"')
              AND json_typeof(metadata->'tool_agent_output') = 'object'
              AND metadata->'storage_path' IS NULL
            WHEN metadata->>'storage_state' IN ('stored', 'lost') THEN
              NOT starts_with(content, '{"status":"')
              AND metadata->'tool_agent_output' IS NULL
              AND json_typeof(metadata->'storage_bucket') = 'string'
              AND json_typeof(metadata->'storage_path') = 'string'
              AND json_typeof(metadata->'payload_bytes') = 'number'
              AND metadata->>'payload_sha256' ~ '^[0-9a-f]{64}$'
            ELSE false
          END, false) ELSE true END)`);
    await queryRunner.query(`
      CREATE INDEX agent_messages_write_failed ON agent_messages (thread_id, seq)
      WHERE role = 'tool' AND metadata->>'storage_state' = 'write_failed'`);
    await queryRunner.query(`
      CREATE INDEX agent_messages_storage_path ON agent_messages ((metadata->>'storage_path'))
      WHERE role = 'tool' AND metadata->>'storage_path' IS NOT NULL`);

    // Keys whose rows are gone; each stands here until its object is gone as well.
    await queryRunner.query(`
      CREATE TABLE object_deletions (
        key text NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT object_deletions_pk PRIMARY KEY (key)
      )`);
    await queryRunner.query(
      'CREATE INDEX object_deletions_next ON object_deletions (next_attempt_at)',
    );
    // In the database, because rows also go by cascade: with their thread, with their user.
    await queryRunner.query(`
      CREATE FUNCTION note_deleted_message_objects() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO object_deletions (key)
        SELECT DISTINCT metadata->>'storage_path' FROM gone
        WHERE role = 'tool' AND metadata->>'storage_path' IS NOT NULL
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER agent_messages_objects AFTER DELETE ON agent_messages
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
      EXECUTE FUNCTION note_deleted_message_objects()`);
    await queryRunner.query(`
      CREATE FUNCTION note_deleted_call_objects() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO object_deletions (key)
        SELECT DISTINCT storage_path FROM gone WHERE storage_path IS NOT NULL
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER tool_calls_objects AFTER DELETE ON tool_calls
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
      EXECUTE FUNCTION note_deleted_call_objects()`);
  }

  /** Only while nothing lies in the object store: a row without its record cannot go back. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER tool_calls_objects ON tool_calls');
    await queryRunner.query('DROP FUNCTION note_deleted_call_objects()');
    await queryRunner.query('DROP TRIGGER agent_messages_objects ON agent_messages');
    await queryRunner.query('DROP FUNCTION note_deleted_message_objects()');
    await queryRunner.query('DROP TABLE object_deletions');
    await queryRunner.query('DROP INDEX agent_messages_storage_path');
    await queryRunner.query('DROP INDEX agent_messages_write_failed');
    await queryRunner.query(`
      ALTER TABLE agent_messages
        DROP CONSTRAINT agent_messages_tier,
        DROP CONSTRAINT agent_messages_metadata,
        ALTER COLUMN metadata TYPE jsonb USING metadata::jsonb`);
    await queryRunner.query('DROP INDEX tool_calls_storage_path_idx');
    await queryRunner.query(`
      ALTER TABLE tool_calls
        DROP CONSTRAINT tool_calls_record_or_reference,
        DROP COLUMN storage_bucket,
        DROP COLUMN storage_path,
        DROP COLUMN payload_bytes,
        DROP COLUMN payload_sha256,
        ALTER COLUMN record SET NOT NULL`);
  }
}
