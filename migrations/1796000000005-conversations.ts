import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Threads, their messages and their runs (PROTOCOL §1, §9, §11). */
export class Conversations1796000000005 implements MigrationInterface {
  name = 'Conversations1796000000005';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Times have milliseconds, like a JavaScript Date: a cursor made from one finds its row again.
    await queryRunner.query(`
      CREATE TABLE agent_threads (
        id text NOT NULL,
        user_id text NOT NULL,
        title text NOT NULL,
        last_seq bigint NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT agent_threads_pk PRIMARY KEY (id)
      )`);
    await queryRunner.query(
      `CREATE INDEX agent_threads_user_updated ON agent_threads (user_id, updated_at, id)`,
    );

    // A message id may come from an AG-UI client, so it is unique in its thread only.
    await queryRunner.query(`
      CREATE TABLE agent_messages (
        thread_id text NOT NULL,
        id text NOT NULL,
        run_id text NOT NULL,
        seq bigint NOT NULL,
        role text NOT NULL,
        content text NOT NULL,
        metadata jsonb NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT agent_messages_pk PRIMARY KEY (thread_id, id),
        CONSTRAINT agent_messages_thread_seq UNIQUE (thread_id, seq),
        CONSTRAINT agent_messages_role CHECK (role IN ('user', 'assistant', 'tool')),
        CONSTRAINT agent_messages_thread_fk FOREIGN KEY (thread_id)
          REFERENCES agent_threads (id) ON DELETE CASCADE
      )`);

    await queryRunner.query(`
      CREATE TABLE agent_runs (
        id text NOT NULL,
        thread_id text NOT NULL,
        user_id text NOT NULL,
        message_id text NOT NULL,
        status text NOT NULL,
        profile text NOT NULL,
        enabled_skills jsonb,
        locale text NOT NULL,
        timezone text NOT NULL,
        idempotency_key text,
        request_hash text NOT NULL,
        cancel_requested boolean NOT NULL,
        error_code text,
        start_event_id bigint,
        usage jsonb,
        instance_id text NOT NULL,
        lease_until timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        started_at timestamptz(3),
        finished_at timestamptz(3),
        CONSTRAINT agent_runs_pk PRIMARY KEY (id),
        CONSTRAINT agent_runs_status CHECK
          (status IN ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled')),
        CONSTRAINT agent_runs_thread_fk FOREIGN KEY (thread_id)
          REFERENCES agent_threads (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX agent_runs_one_active ON agent_runs (thread_id)
      WHERE status IN ('queued', 'running', 'waiting')`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX agent_runs_idempotency ON agent_runs (user_id, idempotency_key)
      WHERE idempotency_key IS NOT NULL`);
    await queryRunner.query(
      `CREATE INDEX agent_runs_thread_created ON agent_runs (thread_id, created_at)`,
    );
    await queryRunner.query(`
      CREATE INDEX agent_runs_lease ON agent_runs (lease_until)
      WHERE status IN ('queued', 'running', 'waiting')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE agent_runs');
    await queryRunner.query('DROP TABLE agent_messages');
    await queryRunner.query('DROP TABLE agent_threads');
  }
}
