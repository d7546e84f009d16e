import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is known of every controlled credential; the token itself is nowhere (PROTOCOL §13). */
export class Credential1796000000002 implements MigrationInterface {
  name = 'Credential1796000000002';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE credentials (
        jti text NOT NULL,
        user_id text NOT NULL,
        actor text NOT NULL,
        run_id text,
        thread_id text,
        scope text[] NOT NULL,
        profile text NOT NULL,
        issued_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz,
        CONSTRAINT pk_credentials PRIMARY KEY (jti)
      )
    `);
    await queryRunner.query('CREATE INDEX ix_credentials_run ON credentials (run_id)');
    await queryRunner.query(
      'CREATE INDEX ix_credentials_user ON credentials (user_id, expires_at)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE credentials');
  }
}
