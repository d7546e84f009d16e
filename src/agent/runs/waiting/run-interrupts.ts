import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import type { StewardError } from '../../../common/steward-error.js';
import type { AguiInterrupt } from '../../../interrupts/agui-interrupt.js';
import {
  InterruptService,
  type ResumeEntry,
  type ResumedCall,
} from '../../../interrupts/interrupt.service.js';
import { refusalOf, type GaveUp } from '../../../interrupts/refusal.js';
import type { Refusal } from '../../loop/unexecuted-call.js';
import { text } from '../../texts.js';
import { askingCall, type CallAnswer, type OpenCall } from '../open-call.js';
import type { Run } from '../run.js';

/** What runs ask their people, and what comes of it. */
@Injectable()
export class RunInterrupts {
  constructor(
    private readonly interrupts: InterruptService,
    private readonly clock: Clock,
  ) {}

  /** What a call of the run has asked and nobody has answered; null when there is nothing. */
  async askedBy({ userId, id }: Run, toolCallId: string): Promise<AguiInterrupt | null> {
    const pending = await this.interrupts.pendingOfRun(userId, id);
    const asked = pending.find((interrupt) => interrupt.toolCallId === toolCallId);
    return asked ? this.interrupts.toAgui(asked) : null;
  }

  /** Ids of what the run has asked and nobody has answered. */
  async pendingIds({ userId, id }: Run): Promise<string[]> {
    return (await this.interrupts.pendingOfRun(userId, id)).map((interrupt) => interrupt.id);
  }

  /** Whether the time to answer a waiting run is over. */
  isOver({ waitingUntil }: Run): boolean {
    return waitingUntil !== null && waitingUntil <= this.clock.now();
  }

  /**
   * Takes the answers to what a waiting run has asked, for the run that goes on with them; in the
   * caller's transaction. Where the time is over the answers come too late, whatever they say.
   * @returns what each call comes to, by its id.
   * @throws StewardError INVALID_ACTION_INPUT for answers that are missing or do not fit, CONFLICT,
   *   NOT_FOUND.
   */
  async answer(
    waiting: Run,
    entries: readonly ResumeEntry[],
    runId: string,
  ): Promise<Map<string, CallAnswer>> {
    if (this.isOver(waiting)) return this.giveUp(waiting, 'run_ended');
    const { userId, threadId, id } = waiting;
    const asking = { userId, threadId, runId: id };
    return toAnswers(await this.interrupts.answer(asking, entries, runId));
  }

  /**
   * What `answer` or `giveUp` gave back, read again by the process that goes on with the run behind
   * the one that waited.
   */
  async outcomes(waited: Run, gaveUp: GaveUp): Promise<Map<string, CallAnswer>> {
    const { userId, id } = waited;
    const answers = toAnswers(await this.interrupts.outcomesOfRun(userId, id, gaveUp));
    const asked = askingCall(waited.openCalls ?? []);
    if (asked && !answers.has(asked.id)) answers.set(asked.id, unanswered(waited));
    return answers;
  }

  /**
   * Ends what a run has asked but does not wait for: the call came to another end than to wait, because
   * the answer to its asking was lost. In the caller's transaction.
   * @param openCalls those that it leaves open; none for a run that has ended.
   */
  async endUnawaited({ userId, id }: Run, openCalls: readonly OpenCall[]): Promise<void> {
    const waiting = openCalls.map((call) => call.id);
    await this.interrupts.cancelOfRun(userId, id, waiting);
  }

  /**
   * Ends what a run has asked without an answer; in the caller's transaction. Idempotent.
   * @returns why each call that has asked is not executed, by its id.
   */
  async giveUp(run: Run, gaveUp: GaveUp): Promise<Map<string, { refuse: Refusal }>> {
    const ended = await this.interrupts.cancelOfRun(run.userId, run.id);
    const refusals = new Map(
      ended.flatMap((interrupt): [string, { refuse: Refusal }][] => {
        const error = refusalOf(interrupt, gaveUp);
        return error ? [[interrupt.toolCallId, { refuse: toRefusal(error) }]] : [];
      }),
    );
    const asked = askingCall(run.openCalls ?? []);
    // Whoever noted first that the time is over has ended it before.
    if (asked && !refusals.has(asked.id)) refusals.set(asked.id, unanswered(run));
    return refusals;
  }
}

function unanswered({ locale }: Run): { refuse: Refusal } {
  const message = text('unanswered', locale);
  return { refuse: { code: 'APPROVAL_EXPIRED', message, retryable: false } };
}

function toAnswers(calls: readonly ResumedCall[]): Map<string, CallAnswer> {
  return new Map(
    calls.map((call): [string, CallAnswer] => {
      const { toolCallId, module, method } = call.interrupt;
      return call.action === 'execute'
        ? [toolCallId, { execute: { module, method, input: call.input } }]
        : [toolCallId, { refuse: toRefusal(call.error) }];
    }),
  );
}

function toRefusal({ code, message }: StewardError): Refusal {
  return { code, message, retryable: false };
}
