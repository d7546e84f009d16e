import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Private subscription URLs; of a token only its hash is kept. */
export class CalendarFeeds1796000000011 implements MigrationInterface {
  name = 'CalendarFeeds1796000000011';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE calendar_feeds (
        id text NOT NULL,
        owner_id text NOT NULL,
        name text NOT NULL,
        token_hash text NOT NULL,
        timezone text NOT NULL,
        content_hash text,
        changed_at timestamptz(3) NOT NULL,
        last_read_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT calendar_feeds_pk PRIMARY KEY (id)
      )`);
    await queryRunner.query(
      `CREATE INDEX calendar_feeds_owner ON calendar_feeds (owner_id, created_at)`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX calendar_feeds_token ON calendar_feeds (token_hash)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE calendar_feeds');
  }
}
