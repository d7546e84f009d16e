import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A credential's row says everything that its token says, so that the same exchange can be signed
 * again for a run whose process died. Those that are out already get the skills of their runs.
 */
export class CredentialSkills1796000000030 implements MigrationInterface {
  name = 'CredentialSkills1796000000030';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE credentials ADD COLUMN enabled_skills jsonb');
    await queryRunner.query(`
      UPDATE credentials c SET enabled_skills = r.enabled_skills FROM agent_runs r
      WHERE r.user_id = c.user_id AND r.id = c.run_id AND c.expires_at > now()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE credentials DROP COLUMN enabled_skills');
  }
}
