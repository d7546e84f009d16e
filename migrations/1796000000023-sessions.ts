import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A sign-in is a session: what it gave out (refresh tokens, bearer tokens, controlled credentials)
 * ends with it. Families of refresh tokens become the sessions they always were; bearer tokens from
 * before name none and are refused, which costs their holders one refresh.
 */
export class Sessions1796000000023 implements MigrationInterface {
  name = 'Sessions1796000000023';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sessions (
        id text NOT NULL,
        user_id text NOT NULL,
        started_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        ended_at timestamptz,
        end_reason text,
        CONSTRAINT pk_sessions PRIMARY KEY (id),
        CONSTRAINT fk_sessions_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT ck_sessions_end CHECK ((ended_at IS NULL) = (end_reason IS NULL))
      )
    `);
    await queryRunner.query('CREATE INDEX ix_sessions_user ON sessions (user_id, expires_at)');
    await queryRunner.query(`
      INSERT INTO sessions (id, user_id, started_at, expires_at, ended_at, end_reason)
      SELECT family_id, min(user_id), min(issued_at), max(expires_at), max(revoked_at),
             CASE WHEN max(revoked_at) IS NULL THEN NULL ELSE 'token_reused' END
      FROM refresh_tokens GROUP BY family_id
    `);
    await queryRunner.query('ALTER TABLE credentials ADD COLUMN session_id text');
    await queryRunner.query('CREATE INDEX ix_credentials_session ON credentials (session_id)');
    // An admin looks for people by how their address or name begins.
    await queryRunner.query('CREATE INDEX ix_users_email_prefix ON users (email text_pattern_ops)');
    await queryRunner.query(
      'CREATE INDEX ix_users_name_prefix ON users (lower(display_name) text_pattern_ops)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX ix_users_name_prefix');
    await queryRunner.query('DROP INDEX ix_users_email_prefix');
    await queryRunner.query('ALTER TABLE credentials DROP COLUMN session_id');
    await queryRunner.query('DROP TABLE sessions');
  }
}
