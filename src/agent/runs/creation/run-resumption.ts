import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { StewardError } from '../../../common/steward-error.js';
import { ThreadService } from '../../../threads/thread.service.js';
import type { CallAnswer } from '../open-call.js';
import { PlaceTaken } from './place-taken.js';
import { RunInterrupts } from '../waiting/run-interrupts.js';
import type { RunRequest } from '../requests/run-request.js';
import { RunRepository } from '../run.repository.js';
import type { Run } from '../run.js';

/** How a new run goes on in a thread in which another one waits for its person. */
@Injectable()
export class RunResumption {
  constructor(
    private readonly runs: RunRepository,
    private readonly threads: ThreadService,
    private readonly interrupts: RunInterrupts,
    private readonly clock: Clock,
  ) {}

  /**
   * The run that the request answers or gives up; null where nothing waits.
   * @throws StewardError NOT_FOUND for answers in a thread that is not the user's; CONFLICT for a
   *   message of an AG-UI client, which must answer first (AG-UI 1.0, interrupts, rule 4); PlaceTaken
   *   when nothing waits for the answers.
   */
  async waiting(userId: string, request: RunRequest): Promise<Run | null> {
    const { threadId, resume, givesUpWaiting } = request;
    if (threadId === undefined) return null;
    if (resume) await this.threads.require(threadId, userId);
    const waiting = await this.runs.findWaiting(userId, threadId);
    if (!waiting && resume) throw new PlaceTaken();
    if (waiting && !resume && !givesUpWaiting && !this.interrupts.isOver(waiting)) {
      throw await this.unanswered(waiting);
    }
    return waiting;
  }

  /**
   * Ends the waiting run in the transaction that stores the one that goes on.
   * @returns what its open calls come to, by their ids.
   * @throws PlaceTaken when it does not wait any more; StewardError for answers that do not fit.
   */
  async leave(
    waiting: Run,
    { resume }: RunRequest,
    run: Run,
  ): Promise<ReadonlyMap<string, CallAnswer>> {
    const at = this.clock.now();
    const over = this.interrupts.isOver(waiting);
    const left = over
      ? await this.runs.leaveWaiting(waiting, 'failed', { at, errorCode: 'APPROVAL_EXPIRED' })
      : await this.runs.leaveWaiting(waiting, resume ? 'succeeded' : 'cancelled', { at });
    if (!left) throw new PlaceTaken();
    return resume
      ? this.interrupts.answer(waiting, resume, run.id)
      : this.interrupts.giveUp(waiting, 'went_on');
  }

  private async unanswered(waiting: Run): Promise<StewardError> {
    const ids = await this.interrupts.pendingIds(waiting);
    return new StewardError('CONFLICT', 'The thread waits for an answer.', {
      issues: ids.map((id) => ({ path: 'resume', message: `must answer ${id}`, expected: id })),
    });
  }
}
