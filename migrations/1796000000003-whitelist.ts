import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Whitelist1796000000003 implements MigrationInterface {
  name = 'Whitelist1796000000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE whitelist_versions (
        version integer NOT NULL,
        document jsonb NOT NULL,
        created_by text,
        created_at timestamptz NOT NULL,
        CONSTRAINT whitelist_versions_pkey PRIMARY KEY (version)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE whitelist_versions');
  }
}
