import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A standing approval answers the rule that asked when it was given, so that an admin's later `ask`
 * asks again. Those given before name no rule and answer none.
 */
export class ApprovalRuleAsked1796000000027 implements MigrationInterface {
  name = 'ApprovalRuleAsked1796000000027';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE approval_rules ADD COLUMN rule text NOT NULL DEFAULT ''`);
    await queryRunner.query('ALTER TABLE approval_rules ALTER COLUMN rule DROP DEFAULT');
    await queryRunner.query('DROP INDEX approval_rules_capability_key');
    await queryRunner.query(`CREATE UNIQUE INDEX approval_rules_capability_key
      ON approval_rules (user_id, profile, capability_id, rule)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX approval_rules_capability_key');
    // Of several for one method the oldest stays: the index of before has room for one.
    await queryRunner.query(`
      DELETE FROM approval_rules newer USING approval_rules older
      WHERE (newer.user_id, newer.profile, newer.capability_id)
          = (older.user_id, older.profile, older.capability_id)
        AND newer.id > older.id`);
    await queryRunner.query('ALTER TABLE approval_rules DROP COLUMN rule');
    await queryRunner.query(`CREATE UNIQUE INDEX approval_rules_capability_key
      ON approval_rules (user_id, profile, capability_id)`);
  }
}
