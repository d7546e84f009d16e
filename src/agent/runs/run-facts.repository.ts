import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { PendingCall } from '../../events/run-event.js';
import type { ClientTool } from '../../tool-router/client-tools/client-tool.js';
import { toPendingCall } from '../../tool-router/client-tools/handed-out-call.js';
import type { RunFacts } from '../../tool-router/run-facts.js';
import { handedOutCalls, type OpenCall } from './open-call.js';

/** Answers from rows of `agent_runs` what others ask of runs. */
@Injectable()
export class RunFactsRepository implements RunFacts {
  constructor(private readonly uow: UnitOfWork) {}

  async clientTools(
    userId: string,
    runId: string,
  ): Promise<readonly ClientTool[] | null | undefined> {
    const [row] = await this.uow.manager.query<{ tools: ClientTool[] | null }[]>(
      `SELECT client_tools AS tools FROM agent_runs WHERE user_id = $1 AND id = $2`,
      [userId, runId],
    );
    return row?.tools;
  }

  async pendingCalls(userId: string, threadId: string, now: Date): Promise<PendingCall[]> {
    const [row] = await this.uow.manager.query<{ calls: OpenCall[] }[]>(
      `SELECT open_calls AS calls FROM agent_runs
       WHERE thread_id = $1 AND user_id = $2 AND status = 'waiting' AND waiting_until > $3`,
      [threadId, userId, now],
    );
    return handedOutCalls(row?.calls ?? []).map(({ id, handedOut }) =>
      toPendingCall(id, handedOut),
    );
  }

  async hasWaited(userId: string, runId: string): Promise<boolean> {
    const rows = await this.uow.manager.query<object[]>(
      'SELECT 1 FROM agent_runs WHERE user_id = $1 AND id = $2 AND open_calls IS NOT NULL',
      [userId, runId],
    );
    return rows.length > 0;
  }

  async originOf(userId: string, runId: string): Promise<string> {
    const [first] = await this.uow.manager.query<{ id: string }[]>(
      `WITH RECURSIVE chain AS (
         SELECT id, message_id, resumed_from FROM agent_runs WHERE user_id = $1 AND id = $2
         UNION
         SELECT r.id, r.message_id, r.resumed_from FROM agent_runs r
         JOIN chain c ON r.user_id = $1 AND r.id = c.resumed_from AND r.message_id = c.message_id
       )
       SELECT c.id FROM chain c WHERE NOT EXISTS (
         SELECT 1 FROM chain b WHERE b.id = c.resumed_from
       )`,
      [userId, runId],
    );
    return first?.id ?? runId;
  }
}
