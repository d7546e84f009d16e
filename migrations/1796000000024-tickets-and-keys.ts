import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tickets that open one event stream each, and which keys have signed. */
export class TicketsAndKeys1796000000024 implements MigrationInterface {
  name = 'TicketsAndKeys1796000000024';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE stream_tickets (
        token_hash bytea NOT NULL,
        id text NOT NULL,
        user_id text NOT NULL,
        session_id text NOT NULL,
        thread_id text NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT pk_stream_tickets PRIMARY KEY (token_hash),
        CONSTRAINT fk_stream_tickets_user FOREIGN KEY (user_id)
          REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT fk_stream_tickets_session FOREIGN KEY (session_id)
          REFERENCES sessions (id) ON DELETE CASCADE,
        CONSTRAINT fk_stream_tickets_thread FOREIGN KEY (thread_id)
          REFERENCES agent_threads (id) ON DELETE CASCADE
      )
    `);
    await queryRunner.query(
      'CREATE INDEX ix_stream_tickets_user ON stream_tickets (user_id, expires_at)',
    );
    await queryRunner.query(
      'CREATE INDEX ix_stream_tickets_session ON stream_tickets (session_id)',
    );
    await queryRunner.query('CREATE INDEX ix_stream_tickets_thread ON stream_tickets (thread_id)');
    await queryRunner.query(`
      CREATE TABLE issuer_keys (
        kid text NOT NULL,
        first_used_at timestamptz NOT NULL,
        CONSTRAINT pk_issuer_keys PRIMARY KEY (kid)
      )
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE issuer_keys');
    await queryRunner.query('DROP TABLE stream_tickets');
  }
}
