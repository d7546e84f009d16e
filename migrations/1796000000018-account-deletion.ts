import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables whose rows go with their user, and the column that names the user. */
const OWNED: readonly (readonly [table: string, column: string])[] = [
  ['agent_threads', 'user_id'],
  ['tool_calls', 'user_id'],
  ['credentials', 'user_id'],
  ['attachments', 'user_id'],
  ['calendar_events', 'owner_id'],
  ['calendar_creations', 'owner_id'],
  ['calendar_feeds', 'owner_id'],
  ['contacts', 'owner_id'],
  ['memory_facts', 'user_id'],
  ['memory_history', 'user_id'],
];

/**
 * An account takes everything of its user with it, in one transaction, whoever deletes it. Triggers
 * and no foreign keys, because a user of an external issuer has no row in `users`. What others
 * invited the user to is theirs: the attendee stays by name and address, and is nobody's any more.
 */
export class AccountDeletion1796000000018 implements MigrationInterface {
  name = 'AccountDeletion1796000000018';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION delete_rows_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        EXECUTE format('DELETE FROM %I WHERE %I = $1', TG_ARGV[0], TG_ARGV[1]) USING OLD.id;
        RETURN NULL;
      END $$`);
    for (const [table, column] of OWNED) {
      await queryRunner.query(`
        CREATE TRIGGER users_${table} AFTER DELETE ON users FOR EACH ROW
        EXECUTE FUNCTION delete_rows_of_user('${table}', '${column}')`);
    }
    await queryRunner.query(`
      CREATE FUNCTION unlink_attendees_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE calendar_attendees SET user_id = NULL, status = 'listed' WHERE user_id = OLD.id;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER users_calendar_attendees AFTER DELETE ON users FOR EACH ROW
      EXECUTE FUNCTION unlink_attendees_of_user()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER users_calendar_attendees ON users');
    await queryRunner.query('DROP FUNCTION unlink_attendees_of_user()');
    for (const [table] of OWNED) {
      await queryRunner.query(`DROP TRIGGER users_${table} ON users`);
    }
    await queryRunner.query('DROP FUNCTION delete_rows_of_user()');
  }
}
