import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { StewardError, type InputIssue } from '../../../common/steward-error.js';
import { ThreadService } from '../../../threads/thread.service.js';
import { ClientAnswers } from '../../client-calls/client-answers.js';
import { unansweredCode } from '../execution/run-ending.js';
import { askingCall, handedOutCalls, type CallAnswer } from '../open-call.js';
import { PlaceTaken } from './place-taken.js';
import { RunInterrupts } from '../waiting/run-interrupts.js';
import type { ReadToolAnswer, RunRequest } from '../requests/run-request.js';
import { RunRepository } from '../run.repository.js';
import { RunStateRepository } from '../run-state.repository.js';
import type { Run } from '../run.js';

/** What the open calls of a run that waited come to. */
export interface LeftCalls {
  answers: ReadonlyMap<string, CallAnswer>;
  /** Ids of the messages in which a client has answered, by the ids of the calls. */
  answerIds: Record<string, string> | null;
}

/** How a new run goes on in a thread in which another one waits for its person or its client. */
@Injectable()
export class RunResumption {
  constructor(
    private readonly runs: RunRepository,
    private readonly states: RunStateRepository,
    private readonly threads: ThreadService,
    private readonly interrupts: RunInterrupts,
    private readonly clients: ClientAnswers,
    private readonly clock: Clock,
  ) {}

  /**
   * The request with those of its tool messages that are results of calls which a run left to its client;
   * the others are what clients resend. One that brings results and nothing else says nothing.
   * @throws StewardError CREDENTIAL_IN_INPUT; NOT_FOUND for results of calls that are not there, where the
   *   request is nothing but those.
   */
  async settled(userId: string, request: RunRequest): Promise<RunRequest> {
    const { toolMessages, threadId, ...rest } = request;
    if (!toolMessages || threadId === undefined) return { ...rest, threadId };
    const waiting = await this.runs.findWaiting(userId, threadId);
    const answers = await this.clients.among(userId, threadId, waiting, toolMessages);
    // One that says something is about that, whatever else it brings, unless a call waits for it.
    const waits = handedOutCalls(waiting?.openCalls ?? []).length > 0;
    const counts = answers.length > 0 && (waits || !rest.says);
    if (counts) {
      this.clients.assertClean(answers);
      assertKnown(toolMessages.filter((one) => one.isAnswer && !answers.includes(one)));
      const nothingSaid = { message: null, messageId: null, sent: { ids: [], files: [] } };
      return { ...rest, ...(!rest.says && nothingSaid), threadId, toolAnswers: answers };
    }
    if (rest.message === null && !rest.resume) {
      await this.threads.require(threadId, userId);
      throw new StewardError('NOT_FOUND', 'No call of the thread waits for such a result.');
    }
    return { ...rest, threadId };
  }

  /**
   * The run that the request answers or gives up; null where nothing waits.
   * @throws StewardError NOT_FOUND for answers in a thread that is not the user's; CONFLICT where an
   *   answer is owed that the request has not: a message of an AG-UI client does not stand for one that
   *   its person owes (AG-UI 1.0, interrupts, rule 4), and only something new for that of its tools;
   *   INVALID_ACTION_INPUT for some of several results; PlaceTaken when nothing waits for the answers.
   */
  async waiting(userId: string, request: RunRequest): Promise<Run | null> {
    const { threadId, resume, toolAnswers } = request;
    if (threadId === undefined) return null;
    const answers = resume !== undefined || toolAnswers !== undefined;
    if (answers) await this.threads.require(threadId, userId);
    const waiting = await this.runs.findWaiting(userId, threadId);
    if (!waiting && answers) throw new PlaceTaken();
    if (!waiting || this.interrupts.isOver(waiting)) return waiting;
    const asks = askingCall(waiting.openCalls ?? []) !== undefined;
    const owed = asks ? !resume && !request.givesUpWaiting : !answers && !request.says;
    if (owed) throw await this.unanswered(waiting);
    if (toolAnswers && !request.says) assertWhole(waiting, toolAnswers);
    return waiting;
  }

  /**
   * Ends the waiting run in the transaction that stores the one that goes on.
   * @returns what its open calls come to.
   * @throws PlaceTaken when it does not wait any more; StewardError for answers that do not fit.
   */
  async leave(waiting: Run, request: RunRequest, run: Run): Promise<LeftCalls> {
    const { resume, toolAnswers } = request;
    const at = this.clock.now();
    const over = this.interrupts.isOver(waiting);
    const answered = resume !== undefined || toolAnswers !== undefined;
    const left = over
      ? await this.states.leaveWaiting(waiting, 'failed', {
          at,
          errorCode: unansweredCode(waiting),
        })
      : await this.states.leaveWaiting(waiting, answered ? 'succeeded' : 'cancelled', { at });
    if (!left) throw new PlaceTaken();
    const asked = resume
      ? await this.interrupts.answer(waiting, resume, run.id)
      : await this.interrupts.giveUp(waiting, 'went_on');
    // Who answers what its person was asked may have its tools answer later.
    const keeps = resume !== undefined && !toolAnswers && !request.says;
    const why = over ? 'expired' : keeps ? null : 'went_on';
    const settled = await this.clients.settle(waiting, run, toolAnswers ?? [], why);
    const answers = new Map<string, CallAnswer>(asked);
    for (const [id, recorded] of settled.records) answers.set(id, { recorded });
    const named = Object.keys(settled.messageIds).length > 0;
    return { answers, answerIds: named ? settled.messageIds : null };
  }

  private async unanswered(waiting: Run): Promise<StewardError> {
    const ids = await this.interrupts.pendingIds(waiting);
    return new StewardError('CONFLICT', 'The thread waits for an answer.', {
      issues: [
        ...ids.map((id) => ({ path: 'resume', message: `must answer ${id}`, expected: id })),
        ...handedOutCalls(waiting.openCalls ?? []).map(({ id }) => owedResult(id)),
      ],
    });
  }
}

/** @throws StewardError INVALID_ACTION_INPUT for results of calls that wait for none. */
function assertKnown(strays: readonly ReadToolAnswer[]): void {
  if (strays.length === 0) return;
  const issues = strays.map(({ path, toolCallId }) => ({
    path: `${path}.toolCallId`,
    message: `no call ${toolCallId} waits for a result`,
  }));
  throw new StewardError('INVALID_ACTION_INPUT', 'Not every result is one of a call that waits.', {
    issues,
  });
}

/** @throws StewardError INVALID_ACTION_INPUT that names the calls whose results are missing. */
function assertWhole(waiting: Run, answers: readonly { toolCallId: string }[]): void {
  const missing = handedOutCalls(waiting.openCalls ?? []).filter(
    ({ id }) => !answers.some(({ toolCallId }) => toolCallId === id),
  );
  if (missing.length === 0) return;
  const message = 'Every call that the run left to its client must have its result.';
  const issues = missing.map(({ id }) => owedResult(id));
  throw new StewardError('INVALID_ACTION_INPUT', message, { issues });
}

function owedResult(id: string): InputIssue {
  return { path: 'messages', message: `must have the result of ${id}`, expected: id };
}
