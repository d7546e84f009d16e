import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a model thought is a message of its own, so that history shows what a stream did. */
export class ReasoningMessages1796000000032 implements MigrationInterface {
  name = 'ReasoningMessages1796000000032';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE agent_messages
      DROP CONSTRAINT agent_messages_role,
      ADD CONSTRAINT agent_messages_role
        CHECK (role IN ('user', 'assistant', 'reasoning', 'tool'))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM agent_messages WHERE role = 'reasoning'`);
    await queryRunner.query(`ALTER TABLE agent_messages
      DROP CONSTRAINT agent_messages_role,
      ADD CONSTRAINT agent_messages_role CHECK (role IN ('user', 'assistant', 'tool'))`);
  }
}
