import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { newId } from '../../common/ids.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { Door } from '../call-context.js';
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
}

/** The records of all tool calls, table `tool_calls`. */
@Injectable()
export class ToolRecordStore {
  constructor(private readonly uow: UnitOfWork) {}

  /** The record of a call of a run; null when it has not been recorded. */
  async find({ userId, runId, toolCallId }: RunCall): Promise<ToolAgentOutput | null> {
    const records = await this.findAll(userId, runId, [toolCallId]);
    return records.get(toolCallId) ?? null;
  }

  /** The records of a run's calls by their ids; those that are not recorded are absent. */
  async findAll(
    userId: string,
    runId: string,
    toolCallIds: string[],
  ): Promise<Map<string, ToolAgentOutput>> {
    if (toolCallIds.length === 0) return new Map();
    const rows = await this.uow.manager.getRepository(ToolCallEntity).find({
      select: { id: true, toolCallId: true, record: true },
      where: { userId, runId, toolCallId: In(toolCallIds) },
    });
    return new Map(rows.map(({ toolCallId, record }) => [toolCallId, record]));
  }

  /** False when the run has a record of this call already, which stays as it is. */
  async insert(key: RecordKey, record: ToolAgentOutput): Promise<boolean> {
    const rows = await this.uow.manager.query<{ id: string }[]>(
      `INSERT INTO tool_calls (id, run_id, thread_id, tool_call_id, user_id, module, method, status,
                               code, door, record, started_at, finished_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (user_id, run_id, tool_call_id) DO NOTHING
       RETURNING id`,
      [
        newId('call'),
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
      ],
    );
    return rows.length > 0;
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
}
