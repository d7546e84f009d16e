import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Credential1796000000002 implements MigrationInterface {
  name = 'Credential1796000000002';

  async up(_queryRunner: QueryRunner): Promise<void> {}

  async down(_queryRunner: QueryRunner): Promise<void> {}
}
