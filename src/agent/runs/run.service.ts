import { Inject, Injectable } from '@nestjs/common';
import type { Principal } from '../../auth/principal.js';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { CredentialService, type IssuedCredential } from '../../credential/credential.service.js';
import { AGENT_ACTOR } from '../../credential/exchange-request.js';
import { Notifications } from '../../database/notifications.js';
import { EventLog } from '../../events/event-log.js';
import { MessageStore } from '../../threads/message.store.js';
import type { NewThreadMessage, UserMessage } from '../../threads/thread-message.js';
import { isThreadGone } from '../../threads/thread-gone.js';
import { ThreadService } from '../../threads/thread.service.js';
import { MessageAttachments } from '../attachments/message-attachments.js';
import { RUN_SCOPE } from '../run-briefing.js';
import { CANCEL_CHANNEL, cancelPayload } from './cancel-channel.js';
import { RunAdmission } from './run-admission.js';
import { INSTANCE_ID, cancelledByUser } from './run-leases.js';
import { RunQueue } from './run-queue.js';
import { hashRequest, type RunRequest } from './run-request.js';
import { RunRunner, type Assignment } from './run-runner.js';
import { isFinal, type RunStatus } from './run-state.js';
import { RunRepository } from './run.repository.js';
import type { Run } from './run.js';

/** A run, new or repeated, and the id of its RUN_STARTED. */
export interface CreatedRun {
  run: Run;
  startEventId: number;
  /** False when an earlier request with the same Idempotency-Key created it. */
  isNew: boolean;
}

/** Under what a run is created. */
export interface RunTerms {
  /** Who acts, as its credential names it. */
  actor: string;
  /** Scope of its credential. */
  scope: readonly string[];
  /** Runs in the transaction that stores the run, before anything is stored; its throw stops it. */
  confirm: () => Promise<void>;
}

/** The person asks for it themselves, with a bearer token. */
const IN_PERSON: RunTerms = {
  actor: AGENT_ACTOR,
  scope: RUN_SCOPE,
  confirm: () => Promise.resolve(),
};

/** The run's row found its place taken; nothing was stored. */
class PlaceTaken extends Error {}

/** Creates and cancels runs (PROTOCOL §11). */
@Injectable()
export class RunService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly admission: RunAdmission,
    private readonly attachments: MessageAttachments,
    private readonly runs: RunRepository,
    private readonly queue: RunQueue,
    private readonly runner: RunRunner,
    private readonly threads: ThreadService,
    private readonly messages: MessageStore,
    private readonly log: EventLog,
    private readonly credentials: CredentialService,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a run and hands it to the queue. Thread, message, run, credential and RUN_STARTED commit
   * together, so a client that is told of the run finds it in the stream, whatever happens next.
   * @param key Idempotency-Key: the same request under the same key is the same run.
   * @param terms what a run goes by that its person does not ask for in person: a grant of theirs.
   * @throws StewardError INVALID_ACTION_INPUT for what the request names and is not there; NOT_FOUND
   *   for another user's thread or attachment; LIMIT_EXCEEDED for files past their limits; RUN_ACTIVE while one is active in it;
   *   CONFLICT when the person used the key, the run id or the message id for something else; RATE_LIMITED
   *   when the queue is full; DEPENDENCY_UNAVAILABLE when the process is stopping.
   */
  async create(
    principal: Principal,
    request: RunRequest,
    key: string | null,
    terms: RunTerms = IN_PERSON,
  ): Promise<CreatedRun> {
    const hash = hashRequest(request);
    const earlier = await this.repeated(principal.userId, key, hash);
    if (earlier) return earlier;
    this.admission.check(request);
    const fillPlace = this.queue.reserve();
    try {
      const assignment = await this.store(principal, request, { key, hash, terms });
      const controller = new AbortController();
      fillPlace({
        run: assignment.run,
        controller,
        execute: () => this.runner.execute(assignment, controller),
      });
      return { run: assignment.run, startEventId: assignment.startEventId, isNew: true };
    } catch (error) {
      if (isThreadGone(error)) throw new StewardError('NOT_FOUND', 'The thread was deleted.');
      if (!(error instanceof PlaceTaken)) throw error;
      // A request with the same key may have come in between.
      const won = await this.repeated(principal.userId, key, hash);
      if (won) return won;
      throw await this.whyTaken(principal.userId, request);
    } finally {
      fillPlace();
    }
  }

  /** @throws StewardError NOT_FOUND, also for another user's run. */
  async require(userId: string, runId: string): Promise<Run> {
    const run = await this.runs.find({ userId, id: runId });
    if (!run) throw new StewardError('NOT_FOUND', 'There is no such run.');
    return run;
  }

  /**
   * Asks for a run's end, wherever it is executed; nothing more can be done with its credential.
   * Idempotent: a run that has ended stays as it is.
   * @returns the state at this moment; an active run is on its way to `cancelled`.
   * @throws StewardError NOT_FOUND.
   */
  async cancel(userId: string, runId: string): Promise<RunStatus> {
    const run = await this.require(userId, runId);
    if (isFinal(run.status)) return run.status;
    if (!(await this.runs.requestCancel(run))) return (await this.require(userId, runId)).status;
    await this.credentials.revokeRun(userId, runId);
    if (!this.queue.abort(run, cancelledByUser())) {
      await this.notifications.publish(CANCEL_CHANNEL, cancelPayload(run));
    }
    return run.status;
  }

  /** The user's runs among `ids`, in no order; one query. */
  findMany(userId: string, ids: string[]): Promise<Run[]> {
    return this.runs.findMany(userId, ids);
  }

  /** Whether any run of the user is active. */
  isActive(userId: string): Promise<boolean> {
    return this.runs.isActive(userId);
  }

  private async store(
    principal: Principal,
    request: RunRequest,
    { key, hash, terms }: { key: string | null; hash: string; terms: RunTerms },
  ): Promise<Assignment> {
    const { userId, roles, displayName, locale, timezone } = principal;
    const run: Run = {
      id: request.runId ?? newId('run'),
      threadId: request.threadId ?? newId('thr'),
      userId,
      messageId: request.messageId ?? newId('msg'),
      status: 'queued',
      profile: request.profile,
      enabledSkills: request.enabledSkills,
      locale,
      timezone,
      idempotencyKey: key,
      requestHash: hash,
      cancelRequested: false,
      errorCode: null,
      startEventId: null,
      usage: null,
      briefing: null,
      context: null,
      createdAt: this.clock.now(),
      startedAt: null,
      finishedAt: null,
    };
    const known = await this.knownMessage(run, request);
    const attachments =
      known?.metadata.attachments ?? (await this.attachments.take(userId, request.sent));
    const message: NewThreadMessage = known ?? {
      id: run.messageId,
      threadId: run.threadId,
      runId: run.id,
      role: 'user',
      content: request.message,
      metadata: attachments.length > 0 ? { attachments } : {},
      createdAt: run.createdAt,
    };
    const { id, content, createdAt } = message;
    let issued: IssuedCredential | undefined;
    const [started] = await this.log.append(
      run.threadId,
      run.id,
      [
        {
          type: 'RUN_STARTED',
          threadId: run.threadId,
          message: {
            id,
            content,
            createdAt: createdAt.toISOString(),
            ...(attachments.length > 0 && { attachments }),
          },
        },
      ],
      async () => {
        await terms.confirm();
        await this.threads.claim(run.threadId, userId, content);
        const lease = this.config.RUN_LEASE_SECONDS;
        if (!(await this.runs.insert(run, this.instanceId, lease))) throw new PlaceTaken();
        if (!known) {
          await this.attachments.claim(userId, attachments, run.threadId);
          await this.messages.append(message);
        }
        issued = await this.exchange(principal, run, terms);
      },
    );
    if (!started || !issued) throw new Error('a run was stored without event or credential');
    return {
      run,
      caller: { userId, roles, displayName },
      message,
      startEventId: started.id,
      credential: issued.credential,
      credentialExpiresAt: issued.expiresAt,
    };
  }

  /** The bearer token that is here right now, or the grant given with one, becomes the run's credential (PROTOCOL §13). */
  private exchange(
    principal: Principal,
    run: Run,
    { actor, scope }: RunTerms,
  ): Promise<IssuedCredential> {
    return this.credentials.exchange(principal, {
      scope: [...scope],
      profile: run.profile,
      threadId: run.threadId,
      runId: run.id,
      enabledSkills: run.enabledSkills,
      actor,
    });
  }

  /** A message that the client sends again, to have it answered once more. */
  private async knownMessage(run: Run, request: RunRequest): Promise<UserMessage | null> {
    if (request.messageId === null || request.threadId === undefined) return null;
    const known = await this.messages.find(run.threadId, request.messageId);
    if (!known) return null;
    await this.threads.require(run.threadId, run.userId);
    if (known.role === 'user' && known.content === request.message) return known;
    throw new StewardError('CONFLICT', 'The message id was used for another message.');
  }

  private async repeated(
    userId: string,
    key: string | null,
    hash: string,
  ): Promise<CreatedRun | null> {
    const run = key === null ? null : await this.runs.findByKey(userId, key);
    if (!run) return null;
    if (run.requestHash !== hash) {
      throw new StewardError('CONFLICT', 'The Idempotency-Key was used for another request.');
    }
    const isNew = false;
    if (run.startEventId !== null) return { run, startEventId: run.startEventId, isNew };
    const bounds = await this.log.lastRun(run.threadId);
    if (bounds?.runId !== run.id) throw new Error(`run ${run.id} has no RUN_STARTED`);
    return { run, startEventId: bounds.startId, isNew };
  }

  private async whyTaken(userId: string, { threadId, runId }: RunRequest): Promise<StewardError> {
    if (runId !== undefined) {
      const holder = await this.runs.find({ userId, id: runId });
      if (holder && holder.threadId !== threadId) {
        return new StewardError('CONFLICT', 'The run id is taken.');
      }
      if (holder && isFinal(holder.status)) {
        return new StewardError('CONFLICT', 'The run id is taken.');
      }
    }
    return new StewardError('RUN_ACTIVE', 'A run is active in this thread.', {
      retryAfterMs: 1_000,
    });
  }
}
