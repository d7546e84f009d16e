import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events are timed (two instants) or all-day (two dates, inclusive), never both. The greatest
 * lengths are constraints because the window query relies on them to bound its index scan.
 */
export class Calendar1796000000007 implements MigrationInterface {
  name = 'Calendar1796000000007';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE calendar_events (
        id text NOT NULL,
        owner_id text NOT NULL,
        title text NOT NULL,
        all_day boolean NOT NULL,
        start_at timestamptz(3),
        end_at timestamptz(3),
        start_date date,
        end_date date,
        timezone text NOT NULL,
        location text,
        notes text,
        version integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT calendar_events_pk PRIMARY KEY (id),
        CONSTRAINT calendar_events_kind CHECK (
          CASE WHEN all_day
            THEN num_nonnulls(start_date, end_date) = 2 AND num_nulls(start_at, end_at) = 2
            ELSE num_nonnulls(start_at, end_at) = 2 AND num_nulls(start_date, end_date) = 2
          END
        ),
        CONSTRAINT calendar_events_timed_length CHECK (
          end_at > start_at AND end_at - start_at <= interval '744 hours'
        ),
        CONSTRAINT calendar_events_all_day_length CHECK (
          end_date >= start_date AND end_date - start_date < 366
        ),
        CONSTRAINT calendar_events_version CHECK (version > 0)
      )`);
    await queryRunner.query(
      `CREATE INDEX calendar_events_owner_start_at ON calendar_events (owner_id, start_at)`,
    );
    await queryRunner.query(
      `CREATE INDEX calendar_events_owner_start_date ON calendar_events (owner_id, start_date)`,
    );
    await queryRunner.query(`
      CREATE TABLE calendar_attendees (
        event_id text NOT NULL,
        position integer NOT NULL,
        user_id text,
        name text,
        email text,
        permission text NOT NULL,
        status text NOT NULL,
        invited_at timestamptz(3),
        responded_at timestamptz(3),
        CONSTRAINT calendar_attendees_pk PRIMARY KEY (event_id, position),
        CONSTRAINT calendar_attendees_event_fk FOREIGN KEY (event_id)
          REFERENCES calendar_events (id) ON DELETE CASCADE,
        CONSTRAINT calendar_attendees_named CHECK (num_nonnulls(name, email) > 0),
        CONSTRAINT calendar_attendees_permission CHECK (permission IN ('view', 'edit')),
        CONSTRAINT calendar_attendees_status CHECK (
          CASE WHEN user_id IS NULL
            THEN status = 'listed'
            ELSE status IN ('pending', 'accepted', 'rejected')
          END
        )
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX calendar_attendees_event_user ON calendar_attendees (event_id, user_id) WHERE user_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX calendar_attendees_event_email ON calendar_attendees (event_id, email) WHERE email IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX calendar_attendees_user_status ON calendar_attendees (user_id, status, event_id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE calendar_attendees');
    await queryRunner.query('DROP TABLE calendar_events');
  }
}
