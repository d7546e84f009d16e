import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Calls that wait for a person, and standing approvals. Both go with their user by trigger, like
 * everything else of an account: a user of an external issuer has no row to refer to.
 */
export class Interrupts1796000000021 implements MigrationInterface {
  name = 'Interrupts1796000000021';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE interrupts (
        id text NOT NULL,
        user_id text NOT NULL,
        thread_id text,
        run_id text,
        credential_jti text NOT NULL,
        tool_call_id text NOT NULL,
        profile text NOT NULL,
        kind text NOT NULL,
        module text NOT NULL,
        method text NOT NULL,
        input json NOT NULL,
        input_hash text NOT NULL,
        rule text,
        message text NOT NULL,
        response_schema json NOT NULL,
        status text NOT NULL,
        response json,
        granted_input json,
        granted_hash text,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        resolved_at timestamptz(3),
        resolved_run_id text,
        consumed_at timestamptz(3),
        CONSTRAINT interrupts_pk PRIMARY KEY (id),
        CONSTRAINT interrupts_kind CHECK (kind IN ('approval', 'question')),
        CONSTRAINT interrupts_status CHECK (status IN
          ('pending', 'approved', 'denied', 'answered', 'declined', 'cancelled', 'expired')),
        CONSTRAINT interrupts_consumed CHECK (consumed_at IS NULL OR granted_hash IS NOT NULL),
        CONSTRAINT interrupts_thread_fk FOREIGN KEY (thread_id)
          REFERENCES agent_threads (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX interrupts_run_call_key
      ON interrupts (user_id, run_id, tool_call_id) WHERE run_id IS NOT NULL`);
    await queryRunner.query(`CREATE UNIQUE INDEX interrupts_session_call_key
      ON interrupts (user_id, credential_jti, kind, input_hash)
      WHERE run_id IS NULL AND consumed_at IS NULL`);
    await queryRunner.query(`CREATE INDEX interrupts_resumed_call_idx
      ON interrupts (user_id, resolved_run_id, tool_call_id) WHERE resolved_run_id IS NOT NULL`);
    await queryRunner.query(
      `CREATE INDEX interrupts_user_created_idx ON interrupts (user_id, created_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX interrupts_thread_idx ON interrupts (thread_id, created_at)`,
    );
    await queryRunner.query(
      `CREATE INDEX interrupts_pending_idx ON interrupts (expires_at) WHERE status = 'pending'`,
    );
    await queryRunner.query(
      `CREATE INDEX interrupts_sessions_idx ON interrupts (expires_at) WHERE run_id IS NULL`,
    );
    await queryRunner.query(`
      CREATE TABLE approval_rules (
        id text NOT NULL,
        user_id text NOT NULL,
        profile text NOT NULL,
        capability_id text NOT NULL,
        interrupt_id text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT approval_rules_pk PRIMARY KEY (id)
      )`);
    await queryRunner.query(`CREATE UNIQUE INDEX approval_rules_capability_key
      ON approval_rules (user_id, profile, capability_id)`);
    await queryRunner.query(`CREATE INDEX approval_rules_user_created_idx
      ON approval_rules (user_id, created_at, id)`);
    for (const table of ['interrupts', 'approval_rules']) {
      await queryRunner.query(`
        CREATE TRIGGER users_${table} AFTER DELETE ON users FOR EACH ROW
        EXECUTE FUNCTION delete_rows_of_user('${table}', 'user_id')`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['approval_rules', 'interrupts']) {
      await queryRunner.query(`DROP TRIGGER users_${table} ON users`);
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
