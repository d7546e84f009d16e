import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';

/** Where runs began: a run that was answered goes on as another one, and is still the same work. */
@Injectable()
export class RunOrigins {
  constructor(private readonly uow: UnitOfWork) {}

  /** @returns the first of the runs that answer the same message and end in `runId`. */
  async of(userId: string, runId: string): Promise<string> {
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
