import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Conversations1796000000005 implements MigrationInterface {
  name = 'Conversations1796000000005';

  async up(_queryRunner: QueryRunner): Promise<void> {}

  async down(_queryRunner: QueryRunner): Promise<void> {}
}
