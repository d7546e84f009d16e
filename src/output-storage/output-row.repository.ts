import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { RunEvent } from '../events/run-event.js';
import type { ToolMessageMetadata } from '../threads/thread-message.js';

/** A tool message as the sweeper and `storage verify` see it. */
export interface OutputRow {
  threadId: string;
  id: string;
  runId: string;
  seq: number;
  metadata: ToolMessageMetadata;
}

/** A place in the order of all messages; what comes after it is next. */
export type OutputCursor = Pick<OutputRow, 'threadId' | 'seq'>;

/** Before every message. */
export const FIRST_OUTPUT: OutputCursor = { threadId: '', seq: 0 };

/** SQL over the rows that hold or name records; their owners write them, this only moves records. */
@Injectable()
export class OutputRowRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Tool messages in a state, after `cursor`, in the order of thread and place. */
  async page(
    state: ToolMessageMetadata['storage_state'],
    cursor: OutputCursor,
    limit: number,
  ): Promise<OutputRow[]> {
    // The state stands in the text of the statement, so that the partial indexes apply.
    const rows = await this.uow.manager.query<(Omit<OutputRow, 'seq'> & { seq: string })[]>(
      `SELECT ${COLUMNS} FROM agent_messages
       WHERE role = 'tool' AND metadata->>'storage_state' = '${state}'
         AND (thread_id, seq) > ($1, $2) ORDER BY thread_id, seq LIMIT $3`,
      [cursor.threadId, cursor.seq, limit],
    );
    return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
  }

  /** Locks one of these rows until the transaction ends; null when it is gone or in another state. */
  async lock(
    { threadId, id }: Pick<OutputRow, 'threadId' | 'id'>,
    state: ToolMessageMetadata['storage_state'],
  ): Promise<OutputRow | null> {
    const [row] = await this.uow.manager.query<(Omit<OutputRow, 'seq'> & { seq: string })[]>(
      `SELECT ${COLUMNS} FROM agent_messages WHERE thread_id = $1 AND id = $2 AND role = 'tool'
         AND metadata->>'storage_state' = $3 FOR UPDATE`,
      [threadId, id, state],
    );
    return row ? { ...row, seq: Number(row.seq) } : null;
  }

  async setMetadata(
    { threadId, id }: Pick<OutputRow, 'threadId' | 'id'>,
    metadata: ToolMessageMetadata,
  ): Promise<void> {
    await this.uow.manager.query(
      'UPDATE agent_messages SET metadata = $3::json WHERE thread_id = $1 AND id = $2',
      [threadId, id, JSON.stringify(metadata)],
    );
  }

  /** The event that told of the message; null when there is none. */
  async event({ threadId, runId, id }: OutputRow): Promise<{ id: string; event: RunEvent } | null> {
    const [row] = await this.uow.manager.query<{ id: string; event: RunEvent }[]>(
      `SELECT id, payload AS event FROM agent_events WHERE thread_id = $1 AND run_id = $2
         AND type = 'TOOL_CALL_RESULT' AND payload->>'messageId' = $3`,
      [threadId, runId, id],
    );
    return row ?? null;
  }

  async setEvent(threadId: string, id: string, event: RunEvent): Promise<void> {
    const payload = JSON.stringify(event);
    await this.uow.manager.query(
      `UPDATE agent_events SET payload = $3::json, payload_bytes = $4
       WHERE thread_id = $1 AND id = $2`,
      [threadId, id, payload, Buffer.byteLength(payload)],
    );
  }

  /** Those of `keys` that no row refers to, and that no run under way may still refer to. */
  async unreferenced(keys: string[]): Promise<string[]> {
    const rows = await this.uow.manager.query<{ key: string }[]>(
      `SELECT k.key FROM unnest($1::text[]) AS k (key)
       WHERE NOT EXISTS (SELECT FROM agent_messages m
                         WHERE m.role = 'tool' AND m.metadata->>'storage_path' = k.key)
         AND NOT EXISTS (SELECT FROM tool_calls c WHERE c.storage_path = k.key)
         AND NOT EXISTS (SELECT FROM attachments a WHERE a.storage_path = k.key)
         AND NOT EXISTS (SELECT FROM tool_calls c
                         JOIN agent_runs r ON r.id = c.run_id AND r.thread_id = c.thread_id
                         WHERE c.id = substring(k.key FROM '([^/]+)\\.json$')
                           AND r.status IN ('queued', 'running', 'waiting'))`,
      [keys],
    );
    return rows.map(({ key }) => key);
  }

  /** Keys that stand in `object_deletions`, of these. */
  async awaitingDeletion(keys: string[]): Promise<Set<string>> {
    const rows = await this.uow.manager.query<{ key: string }[]>(
      'SELECT key FROM object_deletions WHERE key = ANY($1::text[])',
      [keys],
    );
    return new Set(rows.map(({ key }) => key));
  }
}

const COLUMNS = `thread_id AS "threadId", id, run_id AS "runId", seq, metadata`;
