import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What admins decide besides the whitelist. `admin_states` counts the changes of each kind of
 * settings: one number tells a replica whether it knows the newest.
 */
export class AdminSettings1796000000020 implements MigrationInterface {
  name = 'AdminSettings1796000000020';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE whitelist_versions
        ADD restored_from integer,
        ADD added integer,
        ADD removed integer`);
    await queryRunner.query(`
      CREATE TABLE admin_states (
        name text NOT NULL,
        version integer NOT NULL,
        CONSTRAINT admin_states_pkey PRIMARY KEY (name)
      )`);
    await queryRunner.query(`
      CREATE TABLE capability_settings (
        capability text NOT NULL,
        enabled boolean,
        risk text,
        requires_approval boolean,
        limits jsonb NOT NULL,
        version integer NOT NULL,
        updated_by text NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT capability_settings_pkey PRIMARY KEY (capability)
      )`);
    // The subject is a user's id, or * for the whole deployment.
    await queryRunner.query(`
      CREATE TABLE skill_rules (
        subject text NOT NULL,
        skills jsonb NOT NULL,
        version integer NOT NULL,
        updated_by text NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT skill_rules_pkey PRIMARY KEY (subject)
      )`);
    await queryRunner.query(`
      CREATE TABLE call_counts (
        capability text NOT NULL,
        "window" text NOT NULL,
        subject text NOT NULL,
        starts_at timestamptz NOT NULL,
        user_id text,
        calls integer NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT call_counts_pkey PRIMARY KEY (capability, "window", subject, starts_at)
      )`);
    await queryRunner.query('CREATE INDEX call_counts_expired ON call_counts (expires_at)');
    await queryRunner.query('CREATE INDEX call_counts_user ON call_counts (user_id)');
    for (const [table, column] of OWNED) {
      await queryRunner.query(`
        CREATE TRIGGER users_${table} AFTER DELETE ON users FOR EACH ROW
        EXECUTE FUNCTION delete_rows_of_user('${table}', '${column}')`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table] of OWNED) {
      await queryRunner.query(`DROP TRIGGER users_${table} ON users`);
      await queryRunner.query(`DROP TABLE ${table}`);
    }
    await queryRunner.query('DROP TABLE capability_settings');
    await queryRunner.query('DROP TABLE admin_states');
    await queryRunner.query(`
      ALTER TABLE whitelist_versions
        DROP COLUMN restored_from, DROP COLUMN added, DROP COLUMN removed`);
  }
}

/** Tables whose rows go with their user (migration 18), and the column that names the user. */
const OWNED: readonly (readonly [table: string, column: string])[] = [
  ['skill_rules', 'subject'],
  ['call_counts', 'user_id'],
];
