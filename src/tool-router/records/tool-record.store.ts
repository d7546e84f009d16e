import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { CLIENT_MODULE } from '../../common/capability-id.js';
import { newId } from '../../common/ids.js';
import { StewardError } from '../../common/steward-error.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { RecordReference } from '../../tool-output/storage/record-object.js';
import { RecordReader } from '../../tool-output/storage/record-reader.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { AuditDraft } from '../../audit/audit-trail.js';
import type { Door } from '../call-context.js';
import type { CallTrace } from '../call-trace.js';
import { ToolCallEntity } from './tool-call.entity.js';

/** A call of a run. Run ids are unique among the runs of their user only. */
export interface RunCall {
  userId: string;
  runId: string;
  toolCallId: string;
}

/** Under which name a record is kept. */
export interface RecordKey {
  runId: string | null;
  /** Thread with which it is deleted. */
  threadId: string | null;
  toolCallId: string;
  userId: string;
  door: Door;
  /** For the audit. */
  trace: CallTrace;
}

/** A record, under which name it is kept, and its entry in the audit. */
export interface NewRecord {
  key: RecordKey;
  record: ToolAgentOutput;
  audit: AuditDraft;
}

/** A call was executed and recorded, and its record cannot be read from where it lies. */
export class UnreadableRecordError extends StewardError {
  constructor(cause: unknown) {
    const message = 'The recorded result of this call cannot be read at the moment.';
    super('DEPENDENCY_UNAVAILABLE', message, {}, { cause });
  }
}

/** The records of all tool calls, table `tool_calls`. */
@Injectable()
export class ToolRecordStore {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reader: RecordReader,
  ) {}

  private get rows() {
    return this.uow.manager.getRepository(ToolCallEntity);
  }

  /**
   * The record of a call of a run, wherever it lies; null when it has not been recorded. Not for a
   * transaction: it may wait for the object store.
   * @throws UnreadableRecordError when it is recorded and cannot be read.
   */
  async find({ userId, runId, toolCallId }: RunCall): Promise<ToolAgentOutput | null> {
    const records = await this.findAll(userId, runId, [toolCallId]);
    return records.get(toolCallId) ?? null;
  }

  /**
   * The records of a run's calls by their ids; those that are not recorded are absent.
   * @throws UnreadableRecordError as `find`.
   */
  async findAll(
    userId: string,
    runId: string,
    toolCallIds: string[],
  ): Promise<Map<string, ToolAgentOutput>> {
    if (toolCallIds.length === 0) return new Map();
    const rows = await this.rows.find({
      select: FOUND,
      where: { userId, runId, toolCallId: In(toolCallIds) },
    });
    const found = rows.map(async (row) => [row.toolCallId, await this.recordOf(row)] as const);
    return new Map(await Promise.all(found));
  }

  /** Which of these calls of a thread were of tools of its clients, and are recorded. */
  async clientCalls(userId: string, threadId: string, toolCallIds: string[]): Promise<Set<string>> {
    const rows = await this.uow.manager.query<{ id: string }[]>(
      `SELECT DISTINCT tool_call_id AS id FROM tool_calls
       WHERE thread_id = $1 AND user_id = $2 AND module = $3 AND tool_call_id = ANY ($4::text[])`,
      [threadId, userId, CLIENT_MODULE, toolCallIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Whether a call of a run has been recorded. */
  async has({ userId, runId, toolCallId }: RunCall): Promise<boolean> {
    return this.rows.existsBy({ userId, runId, toolCallId });
  }

  /** Id of the row that holds exactly this record, by the SHA-256 of its JSON; null without one. */
  async idOf(
    { threadId, runId }: { threadId: string; runId: string },
    toolCallId: string,
    sha256: string,
  ): Promise<string | null> {
    const [row] = await this.uow.manager.query<{ id: string }[]>(
      `SELECT id FROM tool_calls
       WHERE user_id = (SELECT user_id FROM agent_threads WHERE id = $1)
         AND run_id = $2 AND tool_call_id = $3
         AND encode(sha256(convert_to(record::text, 'UTF8')), 'hex') = $4`,
      [threadId, runId, toolCallId, sha256],
    );
    return row?.id ?? null;
  }

  /** Replaces the record of a row by the place where it lies now. */
  async moveOut(id: string, reference: RecordReference): Promise<void> {
    const { storage_bucket: bucket, storage_path: path } = reference;
    await this.uow.manager.query(
      `UPDATE tool_calls SET record = NULL, storage_bucket = $2, storage_path = $3,
         payload_bytes = $4, payload_sha256 = $5 WHERE id = $1`,
      [id, bucket, path, reference.payload_bytes, reference.payload_sha256],
    );
  }

  /**
   * Inserts a record and its entry in the audit with one statement: neither is without the other.
   * @returns false when the run has a record of this call already, which stays as it is.
   */
  async insert(key: RecordKey, record: ToolAgentOutput, audit: AuditDraft): Promise<boolean> {
    return (await this.insertAll([{ key, record, audit }])) === 1;
  }

  /** The same for several, with one statement. @returns how many were inserted. */
  async insertAll(made: readonly NewRecord[]): Promise<number> {
    if (made.length === 0) return 0;
    const rows = made.map((one) => ({ id: newId('call'), ...one }));
    const columns = rows.map(recordRow);
    const entries = rows.map(({ id, audit }) => [id, audit.id, audit.content, audit.mac]);
    const before = columns.flat().length;
    const inserted = await this.uow.manager.query<unknown[]>(
      `WITH recorded AS (
         INSERT INTO tool_calls (id, run_id, thread_id, tool_call_id, user_id, module, method, status,
           code, door, record, started_at, finished_at)
         VALUES ${placeholders(columns)}
         ON CONFLICT (user_id, run_id, tool_call_id) DO NOTHING
         RETURNING id)
       INSERT INTO audit_inbox (id, content, mac)
       SELECT entry.id, content, mac FROM (VALUES ${placeholders(entries, before)})
         AS entry (call_id, id, content, mac)
       JOIN recorded ON recorded.id = entry.call_id RETURNING id`,
      [...columns, ...entries].flat(),
    );
    return inserted.length;
  }

  /** Waits, on all replicas, until no other transaction is executing this call of the run. */
  async lock({ userId, runId, toolCallId }: RunCall): Promise<void> {
    await this.uow.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `tool_call ${userId} ${runId} ${toolCallId}`,
    ]);
  }

  /** Ends statements of this transaction that take longer, also those that wait for a lock. */
  async limitStatements(timeoutMs: number): Promise<void> {
    await this.uow.manager.query(`SELECT set_config('statement_timeout', $1, true)`, [
      String(timeoutMs),
    ]);
  }

  private async recordOf(row: FoundRow): Promise<ToolAgentOutput> {
    if (row.record) return row.record;
    const { storageBucket, storagePath, payloadBytes, payloadSha256 } = row;
    try {
      return await this.reader.read({
        storage_bucket: storageBucket ?? '',
        storage_path: storagePath ?? '',
        payload_bytes: payloadBytes ?? 0,
        payload_sha256: payloadSha256 ?? '',
      });
    } catch (cause) {
      throw new UnreadableRecordError(cause);
    }
  }
}

const FOUND = {
  id: true,
  toolCallId: true,
  record: true,
  storageBucket: true,
  storagePath: true,
  payloadBytes: true,
  payloadSha256: true,
} as const;
type FoundRow = Pick<ToolCallEntity, keyof typeof FOUND>;

/** The columns of a row of `tool_calls`, in the order of `insertAll`. */
function recordRow({ id, key, record }: NewRecord & { id: string }): unknown[] {
  return [
    id,
    key.runId,
    key.threadId,
    key.toolCallId,
    key.userId,
    record.tool_call_args.module,
    record.tool_call_args.method,
    record.status,
    record.error?.code ?? null,
    key.door,
    JSON.stringify(record),
    record.started_at,
    record.finished_at,
  ];
}

/** `($1, $2), ($3, $4)` for rows of parameters behind `before` others. */
function placeholders(rows: readonly unknown[][], before = 0): string {
  let last = before;
  return rows.map((row) => `(${row.map(() => `$${(last += 1)}`).join(', ')})`).join(', ');
}
