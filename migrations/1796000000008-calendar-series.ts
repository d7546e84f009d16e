import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchGrams, searchText } from '../src/modules/calendar/rules/search-text.js';

/**
 * Series (RFC 5545), overrides of single occurrences, reminders, search and idempotent creation.
 * `expanded` rows are those whose columns alone do not say when they are: series, and floating
 * times. What a search reads is written by the application, so rows from before get it here.
 */
export class CalendarSeries1796000000008 implements MigrationInterface {
  name = 'CalendarSeries1796000000008';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE calendar_events
        ADD COLUMN uid text,
        ADD COLUMN rrule text,
        ADD COLUMN rdates text[] NOT NULL DEFAULT '{}',
        ADD COLUMN exdates text[] NOT NULL DEFAULT '{}',
        ADD COLUMN series_id text,
        ADD COLUMN recurrence_id text,
        ADD COLUMN floating boolean NOT NULL DEFAULT false,
        ADD COLUMN expanded boolean NOT NULL DEFAULT false,
        ADD COLUMN recurs_until timestamptz(3),
        ADD COLUMN reminders jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN sequence integer NOT NULL DEFAULT 0,
        ADD COLUMN search_text text NOT NULL DEFAULT '',
        ADD COLUMN search_grams text[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(`UPDATE calendar_events SET uid = id || '@steward'`);
    await fillSearch(queryRunner);
    await queryRunner.query(`
      ALTER TABLE calendar_events
        ALTER COLUMN uid SET NOT NULL,
        ADD CONSTRAINT calendar_events_series_fk FOREIGN KEY (series_id)
          REFERENCES calendar_events (id) ON DELETE CASCADE,
        ADD CONSTRAINT calendar_events_override CHECK (
          num_nonnulls(series_id, recurrence_id) <> 1
            AND (series_id IS NULL OR rrule IS NULL AND rdates = '{}' AND exdates = '{}')
        ),
        ADD CONSTRAINT calendar_events_expanded CHECK (
          expanded = (floating OR rrule IS NOT NULL OR rdates <> '{}')
        ),
        ADD CONSTRAINT calendar_events_floating CHECK (NOT (floating AND all_day))`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX calendar_events_owner_uid ON calendar_events (owner_id, uid) WHERE series_id IS NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX calendar_events_series ON calendar_events (series_id, recurrence_id) WHERE series_id IS NOT NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX calendar_events_owner_expanded ON calendar_events (owner_id, recurs_until) WHERE expanded`,
    );
    await queryRunner.query(
      `CREATE INDEX calendar_events_search ON calendar_events USING gin (search_grams)`,
    );
    await queryRunner.query(`
      CREATE TABLE calendar_creations (
        owner_id text NOT NULL,
        key text NOT NULL,
        fingerprint text NOT NULL,
        result jsonb,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT calendar_creations_pk PRIMARY KEY (owner_id, key)
      )`);
    await queryRunner.query(
      `CREATE INDEX calendar_creations_created_at ON calendar_creations (created_at)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE calendar_creations');
    await queryRunner.query('DELETE FROM calendar_events WHERE series_id IS NOT NULL');
    await queryRunner.query(`
      ALTER TABLE calendar_events
        DROP COLUMN uid, DROP COLUMN rrule, DROP COLUMN rdates, DROP COLUMN exdates,
        DROP COLUMN series_id, DROP COLUMN recurrence_id, DROP COLUMN floating,
        DROP COLUMN expanded, DROP COLUMN recurs_until, DROP COLUMN reminders,
        DROP COLUMN sequence, DROP COLUMN search_text, DROP COLUMN search_grams`);
  }
}

const BATCH = 500;

interface Row {
  id: string;
  title: string;
  location: string | null;
  notes: string | null;
  attendees: { name: string | null; email: string | null }[];
}

async function fillSearch(queryRunner: QueryRunner): Promise<void> {
  for (let after = ''; ;) {
    const rows: Row[] = await queryRunner.query(
      `SELECT id, title, location, notes, COALESCE(
          (SELECT json_agg(json_build_object('name', name, 'email', email) ORDER BY position)
             FROM calendar_attendees WHERE event_id = event.id), '[]') AS attendees
         FROM calendar_events event WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
      [after],
    );
    const found = rows.map((row) => {
      const text = searchText(row);
      return { id: row.id, text, grams: searchGrams(text) };
    });
    await queryRunner.query(
      `UPDATE calendar_events event
          SET search_text = found.text,
              search_grams = ARRAY(SELECT jsonb_array_elements_text(found.grams))
         FROM jsonb_to_recordset($1::jsonb) AS found (id text, text text, grams jsonb)
        WHERE event.id = found.id`,
      [JSON.stringify(found)],
    );
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.id;
  }
}
