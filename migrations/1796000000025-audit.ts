import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['audit_inbox', 'audit_entries', 'audit_seals'];

/**
 * The audit: what an act writes lies in the inbox, in the act's own transaction, until the sealer has
 * given it its place in the chain. Calls therefore never wait for each other. The triggers stop
 * mistakes; against somebody who can drop them stand the chain and its signatures. No foreign key to
 * users: what an account did stays when it is gone.
 */
export class Audit1796000000025 implements MigrationInterface {
  name = 'Audit1796000000025';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE audit_inbox (
        id text PRIMARY KEY,
        content text NOT NULL,
        mac text NOT NULL
      )`);
    await queryRunner.query(`
      CREATE TABLE audit_entries (
        seq bigint PRIMARY KEY,
        id text NOT NULL,
        at timestamptz NOT NULL,
        kind text NOT NULL,
        actor text,
        subject text,
        run_id text,
        content text NOT NULL,
        attested boolean NOT NULL,
        prev_hash text NOT NULL,
        hash text NOT NULL
      )`);
    await queryRunner.query('CREATE INDEX audit_entries_id_idx ON audit_entries (id)');
    await queryRunner.query('CREATE INDEX audit_entries_at_idx ON audit_entries (at)');
    await queryRunner.query('CREATE INDEX audit_entries_kind_idx ON audit_entries (kind, seq)');
    await queryRunner.query(`
      CREATE INDEX audit_entries_actor_idx ON audit_entries (actor, seq) WHERE actor IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX audit_entries_subject_idx ON audit_entries (subject, seq)
      WHERE subject IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX audit_entries_run_idx ON audit_entries (run_id, seq) WHERE run_id IS NOT NULL`);
    await queryRunner.query(`
      CREATE TABLE audit_seals (
        seq bigint NOT NULL,
        kind text NOT NULL,
        first_seq bigint NOT NULL,
        hash text NOT NULL,
        sealed_at timestamptz NOT NULL,
        kid text NOT NULL,
        signature text NOT NULL,
        CONSTRAINT audit_seals_pkey PRIMARY KEY (seq, kind)
      )`);
    await this.guard(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES.toReversed()) await queryRunner.query(`DROP TABLE ${table}`);
    await queryRunner.query('DROP FUNCTION audit_is_append_only()');
    await queryRunner.query('DROP FUNCTION audit_goes_by_checkpoint()');
    await queryRunner.query('DROP FUNCTION audit_leaves_inbox_sealed()');
  }

  private async guard(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The audit is append-only: % of % is refused.', TG_OP, TG_TABLE_NAME;
      END $$`);
    await queryRunner.query(`
      CREATE FUNCTION audit_goes_by_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM audit_seals WHERE kind = 'checkpoint' AND seq >= OLD.seq) THEN
          RETURN OLD;
        END IF;
        RAISE EXCEPTION 'The audit is append-only: no checkpoint lets row % of % go.',
          OLD.seq, TG_TABLE_NAME;
      END $$`);
    await queryRunner.query(`
      CREATE FUNCTION audit_leaves_inbox_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM audit_entries WHERE id = OLD.id AND content = OLD.content) THEN
          RETURN OLD;
        END IF;
        RAISE EXCEPTION 'The audit is append-only: % has not been sealed.', OLD.id;
      END $$`);
    for (const table of TABLES) {
      const remover =
        table === 'audit_inbox' ? 'audit_leaves_inbox_sealed' : 'audit_goes_by_checkpoint';
      await queryRunner.query(`
        CREATE TRIGGER ${table}_keep BEFORE UPDATE OR TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()`);
      await queryRunner.query(`
        CREATE TRIGGER ${table}_leave BEFORE DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION ${remover}()`);
    }
  }
}
