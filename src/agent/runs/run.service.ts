import { Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../../auth/principal.js';
import { StewardError } from '../../common/steward-error.js';
import { CredentialService } from '../../credential/credential.service.js';
import { Notifications } from '../../database/notifications.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { EventLog } from '../../events/event-log.js';
import { isThreadGone, threadGone } from '../../threads/thread-gone.js';
import { CANCEL_CHANNEL, cancelPayload } from './queue/cancel-channel.js';
import { PlaceTaken } from './creation/place-taken.js';
import { RunAdmission } from './requests/run-admission.js';
import { RunCreation } from './creation/run-creation.js';
import { RunResumption } from './creation/run-resumption.js';
import { RunDispatcher } from './queue/run-dispatcher.js';
import { cancelled } from './execution/run-ending.js';
import { cancelledByUser } from './queue/run-leases.js';
import { TooManyRuns } from './creation/run-limits.js';
import { hashRequest, type RunRequest } from './requests/run-request.js';
import { isFinal, type RunStatus } from './run-state.js';
import { IN_PERSON, type RunTerms } from './creation/run-terms.js';
import { RunRepository } from './run.repository.js';
import { RunStateRepository } from './run-state.repository.js';
import type { Run } from './run.js';
import { WaitingRuns } from './waiting/waiting-runs.js';

/** A run, new or repeated, and the id of its RUN_STARTED. */
export interface CreatedRun {
  run: Run;
  startEventId: number;
  /** False when an earlier request with the same Idempotency-Key created it. */
  isNew: boolean;
}

/** Runs of a person that are ended together. */
const MAX_ENDED = 1_000;

/** What a client can do about RUN_ACTIVE; its title says what it is. */
const ACTIVE =
  'The thread takes a message once its run is over. Wait for that and send it again, follow the run ' +
  '(GET /agent/runs/{threadId}/events), or cancel it (POST /agent/runs/{runId}/cancel).';

/** Creates and cancels runs (PROTOCOL §11). */
@Injectable()
export class RunService {
  private readonly logger = new Logger(RunService.name);

  constructor(
    private readonly admission: RunAdmission,
    private readonly resumption: RunResumption,
    private readonly creation: RunCreation,
    private readonly waiting: WaitingRuns,
    private readonly runs: RunRepository,
    private readonly states: RunStateRepository,
    private readonly dispatcher: RunDispatcher,
    private readonly log: EventLog,
    private readonly credentials: CredentialService,
    private readonly notifications: Notifications,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Creates a run and executes it, or has it wait for a process with a free place. Thread, message, run, credential and RUN_STARTED commit
   * together, so a client that is told of the run finds it in the stream, whatever happens next. With
   * answers it goes on with the run that waits for them; the same answers again are the same run.
   * @param key Idempotency-Key: the same request under the same key is the same run.
   * @param terms what a run goes by that its person does not ask for in person: a grant of theirs.
   * @throws StewardError INVALID_ACTION_INPUT for what the request names and is not there; NOT_FOUND
   *   for another user's thread, attachment or interrupt; LIMIT_EXCEEDED for files past their limits;
   *   RUN_ACTIVE while one is active in it; CONFLICT when the person used the key, the run id or the
   *   message id for something else, or what is answered does not wait, or an answer is owed;
   *   RATE_LIMITED when the person has too many runs or the queue is full; DEPENDENCY_UNAVAILABLE when
   *   the process is stopping.
   */
  async create(
    principal: Principal,
    asked: RunRequest,
    key: string | null,
    terms: RunTerms = IN_PERSON,
  ): Promise<CreatedRun> {
    const request = await this.resumption.settled(principal.userId, asked);
    const hash = hashRequest(request);
    const earlier = await this.repeated(principal.userId, request, key, hash);
    if (earlier) return earlier;
    this.admission.check(principal.userId, request);
    const place = await this.dispatcher.reserve(principal.userId);
    try {
      const held = place !== null;
      const assignment = await this.creation.store(principal, request, { key, hash, terms, held });
      if (place) this.dispatcher.execute(assignment, place);
      else this.uow.afterCommit(() => this.dispatcher.wake());
      return { run: assignment.run, startEventId: assignment.startEventId, isNew: true };
    } catch (error) {
      place?.giveBack();
      if (isThreadGone(error)) throw threadGone();
      if (!(error instanceof PlaceTaken || error instanceof TooManyRuns)) throw error;
      // The same request may have come in between.
      const won = await this.repeated(principal.userId, request, key, hash);
      if (won) return won;
      throw error instanceof TooManyRuns ? error : await this.whyTaken(principal.userId, request);
    }
  }

  /** @throws StewardError NOT_FOUND, also for another user's run. */
  async require(userId: string, runId: string): Promise<Run> {
    const run = await this.runs.find({ userId, id: runId });
    if (!run) throw new StewardError('NOT_FOUND', 'There is no such run.');
    return run;
  }

  /**
   * Asks for a run's end, wherever it is executed; nothing more can be done with its credential. One
   * that nobody executes ends here, whether it waits for its person or for a place. Idempotent: a run that has ended stays as it is. Within a unit of work its
   * process is told once that has committed: a run that is aborted writes its end.
   * @returns the state at this moment; an active run is on its way to `cancelled`.
   * @throws StewardError NOT_FOUND.
   */
  async cancel(userId: string, runId: string): Promise<RunStatus> {
    const run = await this.require(userId, runId);
    if (isFinal(run.status)) return run.status;
    if (run.status === 'waiting') {
      if (await this.waiting.end(run, cancelled(run.threadId, null))) return 'cancelled';
      return (await this.require(userId, runId)).status;
    }
    // It may have come to wait, or to its end, since it was read; no state comes twice.
    if (!(await this.requestEnd(run))) return this.cancel(userId, runId);
    this.uow.afterCommit(() => void this.abort(run));
    return run.status;
  }

  /** One commit: whoever hears of the cancel finds it noted, and the credential revoked. */
  private requestEnd(run: Run): Promise<boolean> {
    return this.uow.run(async () => {
      if (!(await this.states.requestCancel(run))) return false;
      if (!this.dispatcher.holds(run)) {
        await this.notifications.publish(CANCEL_CHANNEL, cancelPayload(run));
      }
      await this.credentials.revokeRun(run.userId, run.id);
      return true;
    });
  }

  /** The user's runs among `ids`, in no order; one query. */
  findMany(userId: string, ids: string[]): Promise<Run[]> {
    return this.runs.findMany(userId, ids);
  }

  /** The user's runs among `ids`, and those that went on with them once they were answered. */
  findResumed(userId: string, ids: string[]): Promise<Run[]> {
    return this.runs.findChains(userId, ids);
  }

  /**
   * Ids of runs of the user that wait for an answer and were started under one of these sessions, or of
   * all where it is null. Later ones past a thousand end with their time.
   */
  waitingUnder(userId: string, sessionIds: string[] | null): Promise<string[]> {
    return this.runs.findWaitingUnder(userId, sessionIds, MAX_ENDED);
  }

  /** Ids of the user's active runs, a thousand at most. */
  activeOf(userId: string): Promise<string[]> {
    return this.runs.findActiveOf(userId, MAX_ENDED);
  }

  /** Whether any run of the user is active. */
  isActive(userId: string): Promise<boolean> {
    return this.runs.isActive(userId);
  }

  /** Ends it here, unless another process holds it and was told. Never rejects: a heartbeat finds what this missed. */
  private async abort(run: Run): Promise<void> {
    if (this.dispatcher.abort(run, cancelledByUser())) return;
    try {
      await this.dispatcher.endUnheld(run);
    } catch (error) {
      this.logger.warn(`The cancelled run ${run.id} could not be ended: ${String(error)}`);
    }
  }

  private async repeated(
    userId: string,
    request: RunRequest,
    key: string | null,
    hash: string,
  ): Promise<CreatedRun | null> {
    const named = key === null ? null : await this.runs.findByKey(userId, key);
    if (named && named.requestHash !== hash) {
      throw new StewardError('CONFLICT', 'The Idempotency-Key was used for another request.');
    }
    // Answers are given once, with a key or without (AG-UI 1.0, interrupts, rule 5).
    const { threadId, resume, toolAnswers } = request;
    const answered = (resume ?? toolAnswers) && threadId !== undefined && !named;
    const run = answered ? await this.runs.findResumed(userId, threadId, hash) : named;
    if (!run) return null;
    const isNew = false;
    if (run.startEventId !== null) return { run, startEventId: run.startEventId, isNew };
    const bounds = await this.log.lastRun(run.threadId);
    if (bounds?.runId !== run.id) throw new Error(`run ${run.id} has no RUN_STARTED`);
    return { run, startEventId: bounds.startId, isNew };
  }

  private async whyTaken(
    userId: string,
    { threadId, runId, resume, toolAnswers }: RunRequest,
  ): Promise<StewardError> {
    if (
      (resume ?? toolAnswers) &&
      threadId !== undefined &&
      !(await this.runs.findActive(threadId))
    ) {
      const message = 'The thread waits for no answer: it has one, or the time for it is over.';
      return new StewardError('CONFLICT', message);
    }
    if (runId !== undefined) {
      const holder = await this.runs.find({ userId, id: runId });
      if (holder && holder.threadId !== threadId) {
        return new StewardError('CONFLICT', 'The run id is taken.');
      }
      if (holder && isFinal(holder.status)) {
        return new StewardError('CONFLICT', 'The run id is taken.');
      }
    }
    return new StewardError('RUN_ACTIVE', ACTIVE, { retryAfterMs: 1_000 });
  }
}
