import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ToolCalls1796000000004 implements MigrationInterface {
  name = 'ToolCalls1796000000004';

  async up(queryRunner: QueryRunner): Promise<void> {
    // `record` is json, not jsonb: jsonb would reorder keys, and a record that is read back must
    // project to the same bytes as the one that was answered.
    await queryRunner.query(`
      CREATE TABLE tool_calls (
        id text NOT NULL,
        run_id text,
        tool_call_id text NOT NULL,
        user_id text NOT NULL,
        module text NOT NULL,
        method text NOT NULL,
        status text NOT NULL,
        code text,
        door text NOT NULL,
        record json NOT NULL,
        started_at timestamptz NOT NULL,
        finished_at timestamptz NOT NULL,
        CONSTRAINT tool_calls_pkey PRIMARY KEY (id)
      )`);
    // A call of a run is recorded once; NULLs are distinct, so calls outside of runs are free.
    await queryRunner.query(
      'CREATE UNIQUE INDEX tool_calls_run_call_key ON tool_calls (run_id, tool_call_id)',
    );
    await queryRunner.query(
      'CREATE INDEX tool_calls_user_started_idx ON tool_calls (user_id, started_at)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE tool_calls');
  }
}
