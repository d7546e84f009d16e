import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a contact is found by is written beside it (`sort_key` to `search_keys`), so that reading
 * computes nothing. One GIN index answers for all of it: it begins with the owner, whose book alone
 * is searched however many others there are.
 */
export class Contacts1796000000009 implements MigrationInterface {
  name = 'Contacts1796000000009';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    await queryRunner.query(`
      CREATE TABLE contacts (
        id text NOT NULL,
        owner_id text NOT NULL,
        uid text NOT NULL,
        merged_uids text[] NOT NULL,
        name text NOT NULL,
        name_parts jsonb NOT NULL,
        aliases text[] NOT NULL,
        organization text,
        department text,
        title text,
        emails jsonb NOT NULL,
        phones jsonb NOT NULL,
        addresses jsonb NOT NULL,
        urls jsonb NOT NULL,
        groups text[] NOT NULL,
        birthday text,
        notes text,
        avatar_url text,
        avatar_type text,
        avatar_data bytea,
        extra jsonb NOT NULL,
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        sort_key text NOT NULL,
        name_text text NOT NULL,
        search_text text NOT NULL,
        identity_keys text[] NOT NULL,
        search_keys text[] NOT NULL,
        CONSTRAINT contacts_pk PRIMARY KEY (id),
        CONSTRAINT contacts_version CHECK (version > 0),
        CONSTRAINT contacts_avatar CHECK (
          num_nonnulls(avatar_type, avatar_data) IN (0, 2)
          AND (avatar_url IS NULL OR avatar_data IS NULL)
        )
      )`);
    await queryRunner.query(
      'CREATE INDEX contacts_owner_sort ON contacts (owner_id, sort_key, id)',
    );
    await queryRunner.query('CREATE UNIQUE INDEX contacts_owner_uid ON contacts (owner_id, uid)');
    await queryRunner.query(`
      CREATE INDEX contacts_search ON contacts
        USING gin (owner_id, identity_keys, search_keys, search_text gin_trgm_ops, name_text gin_trgm_ops)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE contacts');
  }
}
