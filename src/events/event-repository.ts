import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { AppendEntry } from './append-queue.js';
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

const INSERT = `
  WITH batch AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[])
      WITH ORDINALITY AS b (thread_id, run_id, type, payload, payload_bytes, position)
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
  SELECT thread_id, head, CASE WHEN $8 THEN
    pg_notify($6, json_build_array($7::text, thread_id, head)::text) END
  FROM heads`;

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
   * Heads are taken in the order of thread ids, so two batches never wait for each other.
   * @returns the new head of every thread in the batch.
   */
  async insert(
    entries: AppendEntry[],
    origin: string,
    notifies: boolean,
  ): Promise<Map<string, number>> {
    const rows = entries.flatMap((entry) =>
      entry.events.map((event, index) => ({ entry, event, payload: entry.payloads[index] ?? '' })),
    );
    const heads = await this.uow.manager.query<{ thread_id: string; head: string }[]>(INSERT, [
      rows.map(({ entry }) => entry.threadId),
      rows.map(({ entry }) => entry.runId),
      rows.map(({ event }) => event.type),
      rows.map(({ payload }) => payload),
      rows.map(({ payload }) => Buffer.byteLength(payload)),
      EVENTS_CHANNEL,
      origin,
      notifies,
    ]);
    return new Map(heads.map(({ thread_id, head }) => [thread_id, Number(head)]));
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
