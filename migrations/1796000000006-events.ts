import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Events1796000000006 implements MigrationInterface {
  name = 'Events1796000000006';

  async up(_queryRunner: QueryRunner): Promise<void> {}

  async down(_queryRunner: QueryRunner): Promise<void> {}
}
