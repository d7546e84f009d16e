import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Whitelist1796000000003 implements MigrationInterface {
  name = 'Whitelist1796000000003';

  async up(_queryRunner: QueryRunner): Promise<void> {}

  async down(_queryRunner: QueryRunner): Promise<void> {}
}
