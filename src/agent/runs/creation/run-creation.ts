import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../auth/principal.js';
import { Standing } from '../../../auth/standing.js';
import { Clock } from '../../../common/clock.js';
import { newId } from '../../../common/ids.js';
import { StewardError } from '../../../common/steward-error.js';
import type { IssuedCredential } from '../../../credential/controlled-credential.js';
import { CredentialService } from '../../../credential/credential.service.js';
import { EventLog } from '../../../events/event-log.js';
import { Tracing } from '../../../observability/tracing.js';
import { MessageStore } from '../../../threads/message.store.js';
import type { NewThreadMessage, UserMessage } from '../../../threads/thread-message.js';
import { threadGone } from '../../../threads/thread-gone.js';
import { ThreadService } from '../../../threads/thread.service.js';
import { MessageAttachments } from '../../attachments/message-attachments.js';
import { toTurnCalls } from '../open-call.js';
import { RunIntake } from './run-intake.js';
import type { RunRequest } from '../requests/run-request.js';
import { RunResumption, type LeftCalls } from './run-resumption.js';
import type { Assignment } from '../execution/assignment.js';
import type { RunTerms } from './run-terms.js';
import type { Run } from '../run.js';
import { spendingOf } from './spending-of.js';

/** What a run is stored with besides its request. */
interface Stored {
  /** Idempotency-Key. */
  key: string | null;
  /** Of the request. */
  hash: string;
  terms: RunTerms;
  /** This process executes it next. */
  held: boolean;
}

/** Stores runs: all of one in one transaction, or nothing of it. */
@Injectable()
export class RunCreation {
  constructor(
    private readonly attachments: MessageAttachments,
    private readonly resumption: RunResumption,
    private readonly standing: Standing,
    private readonly intake: RunIntake,
    private readonly threads: ThreadService,
    private readonly messages: MessageStore,
    private readonly log: EventLog,
    private readonly credentials: CredentialService,
    private readonly tracing: Tracing,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a run with its thread, message, credential and RUN_STARTED. A run that waits in the thread
   * ends with that: it is answered, or given up.
   * @throws PlaceTaken when the thread has an active run, an id or key is taken, or nothing waits for
   *   the answers; StewardError as RunService.create.
   */
  async store(
    principal: Principal,
    request: RunRequest,
    { key, hash, terms, held }: Stored,
  ): Promise<Assignment> {
    const { userId, roles, displayName } = principal;
    const waiting = await this.resumption.waiting(userId, request);
    const run = this.queued(principal, request, { key, hash, terms, held, waiting });
    const known = await this.knownMessage(run, request, waiting);
    // Messages go only with their thread.
    if (request.message === null && !known) throw threadGone();
    const attachments =
      known?.metadata.attachments ?? (await this.attachments.take(userId, request.sent));
    const message: NewThreadMessage = known ?? {
      id: run.messageId,
      threadId: run.threadId,
      runId: run.id,
      role: 'user',
      content: request.message ?? '',
      metadata: attachments.length > 0 ? { attachments } : {},
      createdAt: run.createdAt,
    };
    const { id, content, createdAt } = message;
    // What is only answered with is no message; one that is known already was told.
    const isAnswer = request.resume !== undefined || request.toolAnswers !== undefined;
    const tells = !(isAnswer && known);
    let issued: IssuedCredential | undefined;
    let left: LeftCalls = { answers: new Map(), answerIds: null };
    const [started] = await this.log.append(
      run.threadId,
      run.id,
      [
        {
          type: 'RUN_STARTED',
          threadId: run.threadId,
          ...(tells && {
            message: {
              id,
              content,
              createdAt: createdAt.toISOString(),
              ...(attachments.length > 0 && { attachments }),
            },
          }),
          ...(waiting && { resumedFrom: waiting.id }),
        },
      ],
      async () => {
        const kept = await this.threads.keep(run.threadId, userId);
        if (isAnswer && !kept) throw threadGone();
        await this.standing.hold(principal);
        await terms.confirm();
        await this.threads.claim(run.threadId, userId, content);
        if (waiting) left = await this.resumption.leave(waiting, request, run);
        run.answerIds = left.answerIds;
        await this.intake.take(run, held);
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
      answers: { message, again: known !== null && tells },
      begun: null,
      open: toTurnCalls(waiting?.openCalls ?? [], left.answers, run.answerIds),
      startEventId: started.id,
      credential: issued.credential,
      credentialExpiresAt: issued.expiresAt,
    };
  }

  /**
   * A resumed run has the profile, the scope and the skills under which was asked, whatever the request
   * names: an answer widens nothing.
   */
  private queued(
    { userId, locale, timezone }: Principal,
    request: RunRequest,
    { key, hash, terms, waiting }: Stored & { waiting: Run | null },
  ): Run {
    const resumed = request.resume || request.toolAnswers ? waiting : null;
    const { profile, enabledSkills } = resumed ?? request;
    // What a client can do is its own to say, with each run anew.
    const clientTools = request.tools ?? resumed?.clientTools;
    const goesOn = request.message === null ? waiting?.messageId : undefined;
    return {
      id: request.runId ?? newId('run'),
      threadId: request.threadId ?? newId('thr'),
      userId,
      messageId: goesOn ?? request.messageId ?? newId('msg'),
      resumedFrom: waiting?.id ?? null,
      openCalls: null,
      waitingUntil: null,
      status: 'queued',
      profile,
      scope: resumed?.scope ?? [...terms.scope],
      enabledSkills,
      clientTools: clientTools?.length ? clientTools : null,
      answerIds: null,
      locale,
      timezone,
      idempotencyKey: key,
      requestHash: hash,
      cancelRequested: false,
      attempts: 0,
      errorCode: null,
      startEventId: null,
      usage: null,
      unreportedTokens: 0,
      turns: 0,
      spentBefore: waiting && goesOnByItself(request) ? spendingOf(waiting) : null,
      countedCalls: null,
      refusedCalls: null,
      briefing: null,
      context: null,
      traceparent: this.tracing.traceparent ?? null,
      createdAt: this.clock.now(),
      startedAt: null,
      finishedAt: null,
    };
  }

  /** The bearer token that is here right now, or the grant given with one, becomes the run's credential (PROTOCOL §13). */
  private exchange(principal: Principal, run: Run, { actor }: RunTerms): Promise<IssuedCredential> {
    return this.credentials.exchange(principal, {
      scope: run.scope,
      profile: run.profile,
      threadId: run.threadId,
      runId: run.id,
      enabledSkills: run.enabledSkills,
      actor,
    });
  }

  /**
   * A message that stands in the thread: one that the client sends again, to have it answered once
   * more, or the one that a resumed run goes on answering.
   */
  private async knownMessage(
    run: Run,
    request: RunRequest,
    waiting: Run | null,
  ): Promise<UserMessage | null> {
    const id = request.message === null ? waiting?.messageId : request.messageId;
    if (id === undefined || id === null || request.threadId === undefined) return null;
    const known = await this.messages.find(run.threadId, id);
    if (!known) return null;
    await this.threads.require(run.threadId, run.userId);
    if (known.role === 'user' && known.content === (request.message ?? known.content)) return known;
    throw new StewardError('CONFLICT', 'The message id was used for another message.');
  }
}

/** Whether nobody has said or decided anything since: a client's tools have answered, and no person. */
function goesOnByItself({ toolAnswers, resume, message }: RunRequest): boolean {
  return toolAnswers !== undefined && resume === undefined && message === null;
}
