import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { PendingCall } from '../../events/run-event.js';
import { toPendingCall, type HandedOutCall } from './handed-out-call.js';

/** As much of a waiting run's open calls as is told of those that are for its client. */
interface StoredCall {
  id: string;
  handedOut?: HandedOutCall;
}

/** What threads wait for of their clients. */
@Injectable()
export class PendingClientCalls {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Calls of the thread that its client can still answer, in the order in which they were made. */
  async ofThread(userId: string, threadId: string): Promise<PendingCall[]> {
    const [row] = await this.uow.manager.query<{ calls: StoredCall[] }[]>(
      `SELECT open_calls AS calls FROM agent_runs
       WHERE thread_id = $1 AND user_id = $2 AND status = 'waiting' AND waiting_until > $3`,
      [threadId, userId, this.clock.now()],
    );
    return (row?.calls ?? []).flatMap(({ id, handedOut }) =>
      handedOut ? [toPendingCall(id, handedOut)] : [],
    );
  }
}
