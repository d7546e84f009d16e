import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Calendar1796000000007 implements MigrationInterface {
  name = 'Calendar1796000000007';

  async up(_queryRunner: QueryRunner): Promise<void> {}

  async down(_queryRunner: QueryRunner): Promise<void> {}
}
