import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { NewThreadMessage, ThreadMessage } from './thread-message.js';

/** Bytes of rows after which a page ends: each may hold a result of a MiB twice. */
const PAGE_MAX_BYTES = 16 * 1024 * 1024;

/**
 * The messages of threads. Callers ask ThreadService first whose thread it is; the agent runtime
 * appends, history and context rebuild read.
 */
@Injectable()
export class MessageStore {
  constructor(private readonly uow: UnitOfWork) {}

  /** Stores one message at the end of its thread. @see appendAll */
  async append(message: NewThreadMessage): Promise<ThreadMessage> {
    const [stored] = await this.appendAll([message]);
    if (!stored) throw new Error('appendAll gave back nothing for one message');
    return stored;
  }

  /**
   * Stores messages of one thread at its end, in order, and moves the thread to the top of its
   * owner's list. One statement: the thread's row hands out the numbers, so `seq` has neither a
   * double nor a race, and a transaction that appends holds up other writers of that thread alone.
   * @throws Error when the thread does not exist or the messages are of several threads; TypeError
   *   for a content that is no string, which the statement would silently turn into JSON.
   */
  async appendAll(messages: NewThreadMessage[]): Promise<ThreadMessage[]> {
    const [first] = messages;
    if (!first) return [];
    if (messages.some((message) => message.threadId !== first.threadId)) {
      throw new Error('messages of several threads cannot be appended at once');
    }
    for (const { id, content } of messages) assertText(id, content);
    const rows = await this.uow.manager.query<{ seq: string }[]>(
      `WITH place AS (
         UPDATE agent_threads SET last_seq = last_seq + $2, updated_at = GREATEST(updated_at, $3)
         WHERE id = $1 RETURNING last_seq - $2 AS base
       )
       INSERT INTO agent_messages (thread_id, id, run_id, seq, role, content, metadata, created_at)
       SELECT $1, m.id, m.run_id, place.base + m.n, m.role, m.content, m.metadata, m.created_at
       FROM place, ROWS FROM (
         json_to_recordset($4::json) AS
           (id text, run_id text, role text, content text, metadata json, created_at timestamptz)
       ) WITH ORDINALITY AS m (id, run_id, role, content, metadata, created_at, n)
       RETURNING seq`,
      [
        first.threadId,
        messages.length,
        messages.reduce((at, { createdAt }) => (createdAt > at ? createdAt : at), first.createdAt),
        JSON.stringify(
          messages.map(({ id, runId, role, content, metadata, createdAt }) => ({
            id,
            run_id: runId,
            role,
            content,
            metadata,
            created_at: createdAt,
          })),
        ),
      ],
    );
    if (rows.length !== messages.length) throw new Error(`no thread ${first.threadId}`);
    const seqs = rows.map((row) => Number(row.seq)).sort((a, b) => a - b);
    return messages.map((message, index) => ({ ...message, seq: seqs[index] ?? 0 }));
  }

  /** The message with this id in the thread. */
  async find(threadId: string, id: string): Promise<ThreadMessage | null> {
    const rows = await this.uow.manager.query<MessageRow[]>(
      `SELECT ${COLUMNS} FROM agent_messages WHERE thread_id = $1 AND id = $2`,
      [threadId, id],
    );
    return rows.map(toMessage)[0] ?? null;
  }

  /** Which of these ids are those of messages of the thread. */
  async taken(threadId: string, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.uow.manager.query<{ id: string }[]>(
      `SELECT id FROM agent_messages WHERE thread_id = $1 AND id = ANY ($2::text[])`,
      [threadId, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * At most `limit` messages, newest first, those before `beforeSeq` where it is given. A page of large
   * messages is shorter: it ends with the one that brings it to 16 MiB. Empty when there are none.
   * @param options.said only what was said and done: nothing that a model thought is among them.
   */
  async page(
    threadId: string,
    options: { beforeSeq?: number; limit: number; said?: boolean },
  ): Promise<ThreadMessage[]> {
    const rows = await this.uow.manager.query<MessageRow[]>(
      `SELECT ${COLUMNS} FROM (
         SELECT *, sum(bytes) OVER (ORDER BY seq DESC) - bytes AS bytes_before FROM (
           SELECT *, octet_length(content) + octet_length(metadata::text) AS bytes
           FROM agent_messages
           WHERE thread_id = $1 AND seq < COALESCE($2, 9223372036854775807)
             AND NOT ($5 AND role = 'reasoning')
           ORDER BY seq DESC LIMIT $3
         ) newest
       ) page WHERE bytes_before < $4 ORDER BY seq DESC`,
      [threadId, options.beforeSeq ?? null, options.limit, PAGE_MAX_BYTES, options.said ?? false],
    );
    return rows.map(toMessage);
  }

  /** How many messages of the thread were said or done before `seq`. */
  async countSaid(threadId: string, seq: number): Promise<number> {
    // Numbers have no gaps: nothing stands before the first.
    if (seq <= 1) return 0;
    const [row] = await this.uow.manager.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM agent_messages
       WHERE thread_id = $1 AND seq < $2 AND role <> 'reasoning'`,
      [threadId, seq],
    );
    return row?.count ?? 0;
  }
}

/** `messages.content` is text, always a string (PROTOCOL §9), whatever the types were made to say. */
function assertText(id: string, content: unknown): void {
  if (typeof content !== 'string') {
    throw new TypeError(`The content of message ${id} is no string but of type ${typeof content}.`);
  }
}

const COLUMNS = `id, thread_id AS "threadId", run_id AS "runId", seq, role, content, metadata,
  created_at AS "createdAt"`;

/** A row as the driver gives it: a bigint is text. Only `appendAll` writes them. */
type MessageRow = NewThreadMessage & { seq: string };

function toMessage(row: MessageRow): ThreadMessage {
  return { ...row, seq: Number(row.seq) };
}
