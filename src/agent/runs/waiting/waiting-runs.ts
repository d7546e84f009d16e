import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { newId } from '../../../common/ids.js';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { EventLog } from '../../../events/event-log.js';
import { threadGone } from '../../../threads/thread-gone.js';
import { ThreadService } from '../../../threads/thread.service.js';
import { ClientAnswers } from '../../client-calls/client-answers.js';
import { beginsWith } from '../../loop/run-fold.js';
import type { Refusal } from '../../loop/unexecuted-call.js';
import { RunIntakeRepository } from '../creation/run-intake.repository.js';
import { PlaceTaken } from '../creation/place-taken.js';
import { RunCloser } from '../execution/run-closer.js';
import { cancelled, unanswered, type Ended } from '../execution/run-ending.js';
import { RunInterrupts } from './run-interrupts.js';
import { HeldRuns } from '../queue/held-runs.js';
import { INSTANCE_ID } from '../queue/run-leases.js';
import { RunRepository } from '../run.repository.js';
import { RunStateRepository } from '../run-state.repository.js';
import type { Run } from '../run.js';

/** In the place of a request's hash in runs that no request has made. */
const NO_REQUEST = '';

/**
 * Ends runs that wait, when nobody goes on with them. Their events have ended already, so what becomes
 * of their open calls is told by a run that does nothing else, the closing run: whoever follows the thread, or
 * reads it again, sees that nothing waits for an answer any more.
 */
@Injectable()
export class WaitingRuns {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly runs: RunRepository,
    private readonly states: RunStateRepository,
    private readonly intake: RunIntakeRepository,
    private readonly threads: ThreadService,
    private readonly interrupts: RunInterrupts,
    private readonly answers: ClientAnswers,
    private readonly closer: RunCloser,
    private readonly held: HeldRuns,
    private readonly log: EventLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends a waiting run, and what it has asked.
   * @returns false when it does not wait any more: somebody was faster.
   * @throws StewardError NOT_FOUND when the thread was deleted; whatever the database throws.
   */
  async end(run: Run, ending: Ended): Promise<boolean> {
    const closingRun = this.closingRunOf(run);
    return this.held.during(closingRun, () => this.endWith(closingRun, run, ending));
  }

  private async endWith(closingRun: Run, run: Run, ending: Ended): Promise<boolean> {
    const refusals = new Map<string, Refusal>();
    let startEventId: number;
    try {
      startEventId = await this.begin(run, closingRun, ending, refusals);
    } catch (error) {
      if (error instanceof PlaceTaken) return false;
      throw error;
    }
    const writer = this.closer.writer(closingRun, beginsWith(run.openCalls ?? []));
    await this.closer.close(closingRun, startEventId, writer, ending, { begunId: null, refusals });
    return true;
  }

  /** Whether a run is a closing run: it does nothing but tell of the end of one that waited. */
  isClosingRun({ requestHash }: Run): boolean {
    return requestHash === NO_REQUEST;
  }

  /**
   * Has a closing run say what the process that made it did not come to say.
   * @throws RunLostError when another process holds it; whatever the database throws.
   */
  async finish(closingRun: Run): Promise<void> {
    const { userId, threadId, resumedFrom } = closingRun;
    const waited = resumedFrom && (await this.runs.find({ userId, id: resumedFrom }));
    if (!waited) throw new Error(`run ${closingRun.id} closes no run`);
    const refusals = new Map<string, Refusal>();
    for (const [id, answer] of await this.interrupts.outcomes(waited, 'run_ended')) {
      if ('refuse' in answer) refusals.set(id, answer.refuse);
    }
    const failed = waited.status === 'failed';
    const ending = failed ? unanswered(waited) : cancelled(threadId, null);
    await this.closer.closeFromLog(closingRun, ending, { refusals });
  }

  private async begin(
    run: Run,
    closingRun: Run,
    { status, errorCode }: Ended,
    refusals: Map<string, Refusal>,
  ): Promise<number> {
    const { threadId, id: resumedFrom } = run;
    const [started] = await this.log.append(
      threadId,
      closingRun.id,
      [{ type: 'RUN_STARTED', threadId, resumedFrom }],
      async () => {
        if (!(await this.threads.keep(threadId, run.userId))) throw threadGone();
        const facts = { at: closingRun.createdAt, ...(errorCode && { errorCode }) };
        if (!(await this.states.leaveWaiting(run, status, facts))) throw new PlaceTaken();
        for (const [id, { refuse }] of await this.interrupts.giveUp(run, 'run_ended'))
          refusals.set(id, refuse);
        await this.answers.giveUp(run, closingRun, errorCode ? 'expired' : 'run_ended');
        const hold = {
          instanceId: this.instanceId,
          leaseSeconds: this.config.RUN_LEASE_SECONDS,
        };
        if (!(await this.intake.insert(closingRun, { hold, fairDelayMs: 0 })))
          throw new PlaceTaken();
      },
    );
    if (!started) throw new Error('a run was stored without its event');
    return started.id;
  }

  private closingRunOf(run: Run): Run {
    return {
      ...run,
      id: newId('run'),
      resumedFrom: run.id,
      openCalls: null,
      waitingUntil: null,
      clientTools: null,
      answerIds: null,
      status: 'queued',
      idempotencyKey: null,
      requestHash: NO_REQUEST,
      attempts: 0,
      startEventId: null,
      usage: null,
      unreportedTokens: 0,
      turns: 0,
      spentBefore: null,
      countedCalls: null,
      refusedCalls: null,
      briefing: null,
      context: null,
      createdAt: this.clock.now(),
      startedAt: null,
    };
  }
}
