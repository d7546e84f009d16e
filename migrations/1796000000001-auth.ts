import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts of the embedded issuer and their refresh tokens. */
export class Auth1796000000001 implements MigrationInterface {
  name = 'Auth1796000000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE users (
        id text NOT NULL,
        email text NOT NULL,
        display_name text NOT NULL,
        password_hash text NOT NULL,
        role text NOT NULL,
        timezone text NOT NULL,
        locale text NOT NULL,
        disabled_at timestamptz,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT pk_users PRIMARY KEY (id),
        CONSTRAINT uq_users_email UNIQUE (email),
        CONSTRAINT ck_users_role CHECK (role IN ('admin', 'user', 'guest'))
      )
    `);
    await queryRunner.query(`
      CREATE TABLE refresh_tokens (
        id text NOT NULL,
        family_id text NOT NULL,
        user_id text NOT NULL,
        token_hash bytea NOT NULL,
        issued_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        spent_at timestamptz,
        revoked_at timestamptz,
        CONSTRAINT pk_refresh_tokens PRIMARY KEY (id),
        CONSTRAINT uq_refresh_tokens_token_hash UNIQUE (token_hash),
        CONSTRAINT fk_refresh_tokens_user FOREIGN KEY (user_id)
          REFERENCES users (id) ON DELETE CASCADE
      )
    `);
    await queryRunner.query(
      'CREATE INDEX ix_refresh_tokens_user ON refresh_tokens (user_id, expires_at)',
    );
    await queryRunner.query('CREATE INDEX ix_refresh_tokens_family ON refresh_tokens (family_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE refresh_tokens');
    await queryRunner.query('DROP TABLE users');
  }
}
