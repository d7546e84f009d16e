import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The event log. A thread's head row hands out its ids: it stays locked until the events of an
 * append are committed, so ids grow by one and become visible in their order. Events refer to the
 * head, not to the thread, so that an append takes no lock on the thread's own row.
 */
export class Events1796000000006 implements MigrationInterface {
  name = 'Events1796000000006';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE agent_event_heads (
        thread_id text PRIMARY KEY REFERENCES agent_threads (id) ON DELETE CASCADE,
        head bigint NOT NULL CHECK (head > 0)
      )`);
    // json, not jsonb: what a client saw live is what it sees again, key order included.
    await queryRunner.query(`
      CREATE TABLE agent_events (
        thread_id text NOT NULL REFERENCES agent_event_heads (thread_id) ON DELETE CASCADE,
        id bigint NOT NULL CHECK (id > 0),
        run_id text NOT NULL,
        type text NOT NULL,
        payload json NOT NULL,
        payload_bytes integer NOT NULL CHECK (payload_bytes > 0),
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (thread_id, id)
      )`);
    await queryRunner.query(`
      CREATE INDEX agent_events_run_bounds ON agent_events (thread_id, id)
      WHERE type IN ('RUN_STARTED', 'RUN_FINISHED', 'RUN_ERROR')`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX agent_events_one_start ON agent_events (run_id)
      WHERE type = 'RUN_STARTED'`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX agent_events_one_terminal ON agent_events (run_id)
      WHERE type IN ('RUN_FINISHED', 'RUN_ERROR')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE agent_events');
    await queryRunner.query('DROP TABLE agent_event_heads');
  }
}
