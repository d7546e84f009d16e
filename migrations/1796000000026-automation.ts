import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tasks that are due by themselves, what became of each time they were, and the grants under which
 * they act. A grant outlives its task, so that who gave what can still be seen; all go with the user.
 */
export class Automation1796000000026 implements MigrationInterface {
  name = 'Automation1796000000026';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE automation_grants (
        id text NOT NULL,
        user_id text NOT NULL,
        profile text NOT NULL,
        scope jsonb NOT NULL,
        given_at timestamptz(3) NOT NULL,
        given_by text NOT NULL,
        withdrawn_at timestamptz(3),
        CONSTRAINT automation_grants_pk PRIMARY KEY (id)
      )`);
    await queryRunner.query('CREATE INDEX automation_grants_user ON automation_grants (user_id)');
    await queryRunner.query(`
      CREATE TABLE scheduled_tasks (
        id text NOT NULL,
        user_id text NOT NULL,
        title text NOT NULL,
        prompt text NOT NULL,
        cron text,
        rrule text,
        timezone text NOT NULL,
        start_at timestamptz(3) NOT NULL,
        end_at timestamptz(3),
        missed text NOT NULL,
        enabled boolean NOT NULL,
        grant_id text,
        next_at timestamptz(3),
        thread_id text NOT NULL,
        last_run_id text,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT scheduled_tasks_pk PRIMARY KEY (id),
        CONSTRAINT scheduled_tasks_timing CHECK ((cron IS NULL) <> (rrule IS NULL)),
        CONSTRAINT scheduled_tasks_missed CHECK (missed IN ('run_once', 'skip')),
        CONSTRAINT scheduled_tasks_next CHECK (next_at IS NULL OR (enabled AND grant_id IS NOT NULL))
      )`);
    await queryRunner.query('CREATE INDEX scheduled_tasks_user ON scheduled_tasks (user_id, id)');
    await queryRunner.query(
      'CREATE INDEX scheduled_tasks_due ON scheduled_tasks (next_at) WHERE next_at IS NOT NULL',
    );
    // The primary key is what lets two replicas fire a time once.
    await queryRunner.query(`
      CREATE TABLE scheduled_firings (
        task_id text NOT NULL,
        due_at timestamptz(3) NOT NULL,
        status text NOT NULL,
        missed boolean NOT NULL,
        reason text,
        error_code text,
        grant_id text NOT NULL,
        run_id text NOT NULL,
        thread_id text NOT NULL,
        attempts integer NOT NULL,
        lease_until timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        started_at timestamptz(3),
        CONSTRAINT scheduled_firings_pk PRIMARY KEY (task_id, due_at),
        CONSTRAINT scheduled_firings_task FOREIGN KEY (task_id)
          REFERENCES scheduled_tasks (id) ON DELETE CASCADE,
        CONSTRAINT scheduled_firings_status
          CHECK (status IN ('pending', 'started', 'skipped', 'failed')),
        CONSTRAINT scheduled_firings_lease CHECK ((status = 'pending') = (lease_until IS NOT NULL))
      )`);
    await queryRunner.query(
      `CREATE INDEX scheduled_firings_pending ON scheduled_firings (lease_until)
       WHERE status = 'pending'`,
    );
    for (const table of ['automation_grants', 'scheduled_tasks']) {
      await queryRunner.query(`
        CREATE TRIGGER users_${table} AFTER DELETE ON users FOR EACH ROW
        EXECUTE FUNCTION delete_rows_of_user('${table}', 'user_id')`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER users_automation_grants ON users');
    await queryRunner.query('DROP TRIGGER users_scheduled_tasks ON users');
    await queryRunner.query('DROP TABLE scheduled_firings');
    await queryRunner.query('DROP TABLE scheduled_tasks');
    await queryRunner.query('DROP TABLE automation_grants');
  }
}
