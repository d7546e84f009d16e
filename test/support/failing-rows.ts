import type { DataSource } from 'typeorm';

/** What the trigger does at the row it waits for. */
export type Failure = 'raise' | 'terminate';

const EFFECT: Record<Failure, string> = {
  raise: `RAISE EXCEPTION 'out of order'`,
  // The server closes the connection in the middle of the transaction.
  terminate: 'PERFORM pg_terminate_backend(pg_backend_pid())',
};

/**
 * Lets writing to a table fail at the n-th row of a transaction, as a full disk or a lost connection
 * would. Returns what ends it.
 */
export async function failAtRow(
  dataSource: DataSource,
  table: 'calendar_events' | 'calendar_attendees' | 'contacts',
  row: number,
  failure: Failure,
): Promise<() => Promise<void>> {
  await dataSource.query(`
    CREATE FUNCTION fail_at_row() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      seen integer := COALESCE(NULLIF(current_setting('steward.rows', true), ''), '0')::integer + 1;
    BEGIN
      PERFORM set_config('steward.rows', seen::text, true);
      IF seen = ${row} THEN ${EFFECT[failure]}; END IF;
      RETURN NEW;
    END $$`);
  await dataSource.query(`
    CREATE TRIGGER fail_at_row BEFORE INSERT OR UPDATE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION fail_at_row()`);
  return async () => {
    await dataSource.query(`DROP TRIGGER fail_at_row ON ${table}`);
    await dataSource.query('DROP FUNCTION fail_at_row()');
  };
}

/** Until a session of this database waits for a lock; at most ten seconds. */
export async function untilSomebodyWaits(dataSource: DataSource): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const [row] = await dataSource.query<{ waits: boolean }[]>(
      `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`,
    );
    if (row?.waits) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('nobody waited for a lock');
}

/** A promise that somebody else keeps. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
