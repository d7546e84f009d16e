import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Auth1796000000001 implements MigrationInterface {
  name = 'Auth1796000000001';

  async up(_queryRunner: QueryRunner): Promise<void> {}

  async down(_queryRunner: QueryRunner): Promise<void> {}
}
