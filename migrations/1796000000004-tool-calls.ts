import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ToolCalls1796000000004 implements MigrationInterface {
  name = 'ToolCalls1796000000004';

  async up(_queryRunner: QueryRunner): Promise<void> {}

  async down(_queryRunner: QueryRunner): Promise<void> {}
}
