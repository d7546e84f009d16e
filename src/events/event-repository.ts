import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { AppendEntry, RunHolder } from './append-queue.js';
import type { LoggedEvent, RunEvent } from './run-event.js';

/** Where a run stands in its thread's log. */
export interface RunBounds {
  runId: string;
  /** Id of its RUN_STARTED. */
  startId: number;
  /** Id of its RUN_FINISHED or RUN_ERROR; null while it is active. */
  terminalId: number | null;
}

/** Channel on which replicas hear of new events: `["origin","threadId",head]`. */
export const EVENTS_CHANNEL = 'agent_events';

/**
 * The runs of a batch are locked before its heads, in the order of their keys, as by whoever renews
 * leases. A claim takes the same lock: it either waits for the batch, and reads its events, or has
 * committed, and the batch leaves the run's events out.
 */
const INSERT = `
  WITH holders AS (
    SELECT * FROM unnest($9::text[], $10::text[], $11::text[])
      WITH ORDINALITY AS o (user_id, run_id, instance_id, place)
  ), held AS MATERIALIZED (
    SELECT o.place FROM agent_runs r
    JOIN holders o ON r.user_id = o.user_id AND r.id = o.run_id AND r.instance_id = o.instance_id
    WHERE r.status IN ('queued', 'running')
    ORDER BY r.user_id, r.id FOR SHARE OF r
  ), batch AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $12::bigint[])
      WITH ORDINALITY AS b (thread_id, run_id, type, payload, payload_bytes, holder, position)
    WHERE holder IS NULL OR holder IN (SELECT place FROM held)
  ), heads AS (
    INSERT INTO agent_event_heads AS h (thread_id, head)
    SELECT thread_id, count(*) FROM batch GROUP BY thread_id ORDER BY thread_id
    ON CONFLICT (thread_id) DO UPDATE SET head = h.head + EXCLUDED.head
    RETURNING h.thread_id, h.head
  ), placed AS (
    SELECT *, row_number() OVER (PARTITION BY thread_id ORDER BY position)
              - count(*) OVER (PARTITION BY thread_id) AS offset_from_head
    FROM batch
  ), stored AS (
    INSERT INTO agent_events (thread_id, id, run_id, type, payload, payload_bytes)
    SELECT p.thread_id, h.head + p.offset_from_head, p.run_id, p.type, p.payload::json, p.payload_bytes
    FROM placed p JOIN heads h USING (thread_id)
  )
  SELECT thread_id, head, NULL::bigint AS lost, CASE WHEN $8 THEN
    pg_notify($6, json_build_array($7::text, thread_id, head)::text)::text END AS notified
  FROM heads
  UNION ALL
  SELECT NULL, NULL, place, NULL FROM holders WHERE place NOT IN (SELECT place FROM held)`;

const HOLD = `
  SELECT id FROM agent_runs WHERE user_id = $1 AND id = $2 AND instance_id = $3
    AND status IN ('queued', 'running') FOR NO KEY UPDATE`;

const PAGE = `
  SELECT id, run_id, payload, payload_bytes FROM (
    SELECT id, run_id, payload, payload_bytes,
           sum(payload_bytes) OVER (ORDER BY id) - payload_bytes AS bytes_before
    FROM (SELECT id, run_id, payload, payload_bytes FROM agent_events
          WHERE thread_id = $1 AND id > $2 ORDER BY id LIMIT $3) newest
  ) page WHERE bytes_before < $4 ORDER BY id`;

const LAST_RUN = `
  SELECT s.run_id, s.id AS start_id, t.id AS terminal_id
  FROM (SELECT run_id, id FROM agent_events
        WHERE thread_id = $1 AND type = 'RUN_STARTED' ORDER BY id DESC LIMIT 1) s
  LEFT JOIN LATERAL (
    SELECT id FROM agent_events
    WHERE thread_id = $1 AND id > s.id AND run_id = s.run_id
      AND type IN ('RUN_FINISHED', 'RUN_ERROR') LIMIT 1
  ) t ON true`;

/** All SQL of the event log. */
@Injectable()
export class EventRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** True inside a unit of work, where nothing is committed yet. */
  get inTransaction(): boolean {
    return this.uow.manager.queryRunner !== undefined;
  }

  /**
   * Writes the entries in one statement and tells the replicas, which hear of it at the commit,
   * unless the caller has another way to tell them (`notifies` false).
   * Heads are taken in the order of thread ids, so two batches never wait for each other. Entries whose
   * holder has lost the run are left out.
   */
  async insert(entries: AppendEntry[], origin: string, notifies: boolean): Promise<Inserted> {
    const rows = entries.flatMap((entry) =>
      entry.events.map((event, index) => ({ entry, event, payload: entry.payloads[index] ?? '' })),
    );
    const { holders, placeOf } = holdersOf(entries);
    const found = await this.uow.manager.query<InsertedRow[]>(INSERT, [
      rows.map(({ entry }) => entry.threadId),
      rows.map(({ entry }) => entry.runId),
      rows.map(({ event }) => event.type),
      rows.map(({ payload }) => payload),
      rows.map(({ payload }) => Buffer.byteLength(payload)),
      EVENTS_CHANNEL,
      origin,
      notifies,
      holders.map(({ userId }) => userId),
      holders.map(({ runId }) => runId),
      holders.map(({ instanceId }) => instanceId),
      rows.map(({ entry }) => placeOf.get(entry) ?? null),
    ]);
    const heads = new Map<string, number>();
    const lost = new Set<number>();
    for (const row of found) {
      if (row.lost === null) heads.set(row.thread_id, Number(row.head));
      else lost.add(Number(row.lost));
    }
    return { heads, lost: new Set(entries.filter((entry) => lost.has(placeOf.get(entry) ?? 0))) };
  }

  /**
   * Holds a run for its holder until the end of the transaction: nobody claims it before.
   * @returns false when another process has claimed it, or it has ended.
   */
  async hold(runId: string, { userId, instanceId }: RunHolder): Promise<boolean> {
    const rows = await this.uow.manager.query<object[]>(HOLD, [userId, runId, instanceId]);
    return rows.length > 0;
  }

  /**
   * Events after `afterId`, oldest first: at most `limit`, and no more than the first that brings
   * the page past `maxBytes`.
   */
  async page(
    threadId: string,
    afterId: number,
    limit: number,
    maxBytes: number,
  ): Promise<SizedEvent[]> {
    const rows = await this.uow.manager.query<
      { id: string; run_id: string; payload: RunEvent; payload_bytes: number }[]
    >(PAGE, [threadId, afterId, limit, maxBytes]);
    return rows.map((row) => ({
      logged: { threadId, runId: row.run_id, id: Number(row.id), event: row.payload },
      bytes: row.payload_bytes,
    }));
  }

  /** The thread's most recent run; null when it never had one. */
  async lastRun(threadId: string): Promise<RunBounds | null> {
    const [row] = await this.uow.manager.query<
      { run_id: string; start_id: string; terminal_id: string | null }[]
    >(LAST_RUN, [threadId]);
    if (!row) return null;
    return {
      runId: row.run_id,
      startId: Number(row.start_id),
      terminalId: row.terminal_id === null ? null : Number(row.terminal_id),
    };
  }

  /** Last id of every thread that has events; the others are absent. */
  async heads(threadIds: string[]): Promise<Map<string, number>> {
    const rows = await this.uow.manager.query<{ thread_id: string; head: string }[]>(
      'SELECT thread_id, head FROM agent_event_heads WHERE thread_id = ANY($1::text[])',
      [threadIds],
    );
    return new Map(rows.map((row) => [row.thread_id, Number(row.head)]));
  }
}

/** An event with the size of its stored JSON, in bytes. */
export interface SizedEvent {
  logged: LoggedEvent;
  bytes: number;
}

/** What a batch came to. */
export interface Inserted {
  /** The new head of every thread of which something was written. */
  heads: Map<string, number>;
  /** Entries of which nothing was written: their runs are held by others. */
  lost: ReadonlySet<AppendEntry>;
}

type InsertedRow =
  { lost: null; thread_id: string; head: string } | { lost: string; thread_id: null; head: null };

/** Each run of a batch once, and the place of each entry's among them, from 1; absent where nobody has to hold it. */
function holdersOf(entries: AppendEntry[]) {
  const holders: (RunHolder & { runId: string })[] = [];
  const placeOf = new Map<AppendEntry, number>();
  const places = new Map<string, number>();
  for (const entry of entries) {
    if (!entry.holder) continue;
    const { runId, holder } = entry;
    const name = `${holder.userId} ${runId} ${holder.instanceId}`;
    const place = places.get(name) ?? holders.push({ ...holder, runId });
    places.set(name, place);
    placeOf.set(entry, place);
  }
  return { holders, placeOf };
}
