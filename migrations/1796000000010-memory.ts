import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is remembered about a person: facts that hold now, and beside them what held before. Search
 * goes by words and Chinese bigrams that are made at write time (`search`), and by trigrams of the
 * text for what is misspelt; both indexes begin with the owner, so one user's search never reads
 * another's postings.
 */
export class Memory1796000000010 implements MigrationInterface {
  name = 'Memory1796000000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    await queryRunner.query(`
      CREATE TABLE memory_facts (
        id text NOT NULL,
        user_id text NOT NULL,
        key text,
        text text NOT NULL,
        fingerprint text NOT NULL,
        search tsvector NOT NULL,
        standing boolean NOT NULL,
        source text NOT NULL,
        run_id text,
        confidence double precision NOT NULL,
        version integer NOT NULL,
        expires_at timestamptz(3),
        held_from timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT memory_facts_pk PRIMARY KEY (id),
        CONSTRAINT memory_facts_source CHECK (source IN ('user_said', 'agent_inferred', 'imported')),
        CONSTRAINT memory_facts_confidence CHECK (confidence >= 0 AND confidence <= 1),
        CONSTRAINT memory_facts_version CHECK (version > 0)
      )`);
    await queryRunner.query(
      `CREATE INDEX memory_facts_user_updated ON memory_facts (user_id, updated_at, id)`,
    );
    await queryRunner.query(
      `CREATE INDEX memory_facts_user_key ON memory_facts (user_id, key) WHERE key IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX memory_facts_user_standing ON memory_facts (user_id, updated_at) WHERE standing`,
    );
    await queryRunner.query(
      `CREATE INDEX memory_facts_user_fingerprint ON memory_facts (user_id, fingerprint)`,
    );
    await queryRunner.query(
      `CREATE INDEX memory_facts_search ON memory_facts USING gin (user_id, search)`,
    );
    await queryRunner.query(
      `CREATE INDEX memory_facts_trigrams ON memory_facts USING gin (user_id, text gin_trgm_ops)`,
    );
    await queryRunner.query(`
      CREATE TABLE memory_history (
        fact_id text NOT NULL,
        version integer NOT NULL,
        user_id text NOT NULL,
        key text,
        text text NOT NULL,
        source text NOT NULL,
        run_id text,
        confidence double precision NOT NULL,
        held_from timestamptz(3) NOT NULL,
        held_until timestamptz(3) NOT NULL,
        reason text NOT NULL,
        CONSTRAINT memory_history_pk PRIMARY KEY (fact_id, version),
        CONSTRAINT memory_history_reason CHECK (reason IN ('superseded', 'corrected', 'removed'))
      )`);
    await queryRunner.query(
      `CREATE INDEX memory_history_user_key ON memory_history (user_id, key, held_until)`,
    );
    // Which facts a model was given for a run: their ids, never their text.
    await queryRunner.query('ALTER TABLE agent_runs ADD COLUMN briefing jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE agent_runs DROP COLUMN briefing');
    await queryRunner.query('DROP TABLE memory_history');
    await queryRunner.query('DROP TABLE memory_facts');
  }
}
