import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import type { JsonObject } from '../common/json.js';
import { StewardError, type InputIssue } from '../common/steward-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { toAguiInterrupt, type AguiInterrupt } from './agui-interrupt.js';
import { AnswerReader, type InterruptAnswer } from './answer-reader.js';
import { alreadyResolved, notFound } from './interrupt-errors.js';
import { EXPIRED, InterruptResolution } from './interrupt-resolution.js';
import { statusAt, type Interrupt } from './interrupt.js';
import { InterruptRepository } from './interrupt.repository.js';
import { refusalOf, type GaveUp } from './refusal.js';

/** AG-UI's ResumeEntry: the answer to one interrupt. */
export interface ResumeEntry extends InterruptAnswer {
  interruptId: string;
}

/** The run whose questions are answered. */
export interface WaitingRun {
  userId: string;
  threadId: string;
  runId: string;
}

/** What the resumed run does with the call that had to wait. */
export type ResumedCall =
  /** Execute exactly `input` under the interrupt's `toolCallId`. */
  | { interrupt: Interrupt; action: 'execute'; input: JsonObject }
  /** Record `error` as the outcome of the call. */
  | { interrupt: Interrupt; action: 'refuse'; error: StewardError };

/** Answers of people to calls that wait for them; the run side. */
@Injectable()
export class InterruptService {
  constructor(
    private readonly interrupts: InterruptRepository,
    private readonly answers: AnswerReader,
    private readonly resolution: InterruptResolution,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Interrupts of a run that can still be answered, oldest first. */
  async pendingOfRun(userId: string, runId: string): Promise<Interrupt[]> {
    return this.stillPending(await this.interrupts.openOfRun(userId, runId));
  }

  /** Interrupts of a thread's runs that can still be answered, oldest first. */
  async pendingOfThread(userId: string, threadId: string): Promise<Interrupt[]> {
    return this.stillPending(await this.interrupts.openOfThread(userId, threadId));
  }

  /**
   * Answers everything that a waiting run has asked, in the caller's transaction, and binds the answers
   * to the run that resumes with them. An interrupt whose time is over needs no entry and becomes a
   * refusal, whatever its entry says; so ends one that another run of the thread has left behind.
   * @returns what to do with each call, in the order in which they were asked.
   * @throws StewardError INVALID_ACTION_INPUT with issues (`resume.0.payload.approved`; entries that
   * are missing or doubled), CONFLICT for an interrupt that is resolved already, NOT_FOUND for one
   * that is not this user's in this thread.
   */
  answer(
    { userId, threadId, runId }: WaitingRun,
    entries: readonly ResumeEntry[],
    resumingRunId: string,
  ): Promise<ResumedCall[]> {
    return this.uow.run(async () => {
      const all = await this.interrupts.lockOpenOfThread(userId, threadId);
      await this.assertOpen(userId, threadId, entries, all);
      const open = all.filter((interrupt) => interrupt.runId === runId);
      const now = this.clock.now();
      const left = open.filter(
        (interrupt) =>
          statusAt(interrupt, now) === 'pending' &&
          !entries.some(({ interruptId }) => interruptId === interrupt.id),
      );
      if (left.length > 0) throw incomplete(left);
      // Its call was asked for while its run ended: nobody is left to execute it.
      for (const stale of all) if (stale.runId !== runId) await this.resolution.end(stale, now);
      const calls: ResumedCall[] = [];
      for (const interrupt of open) {
        const index = entries.findIndex(({ interruptId }) => interruptId === interrupt.id);
        const entry = entries[index];
        const answer =
          statusAt(interrupt, now) === 'expired' || !entry
            ? EXPIRED
            : await this.answers.read(interrupt, entry, `resume.${index}.`);
        calls.push(toResumedCall(await this.resolution.resolve(interrupt, answer, resumingRunId)));
      }
      return calls;
    });
  }

  /**
   * What became of everything that a run has asked, once it waits no longer: what `answer` gave back, or
   * the end of `cancelOfRun`, read again by whoever goes on.
   * @param gaveUp why what has no answer has none.
   */
  async outcomesOfRun(userId: string, runId: string, gaveUp: GaveUp): Promise<ResumedCall[]> {
    const asked = await this.interrupts.ofRun(userId, runId);
    return asked.map((interrupt) => toResumedCall(interrupt, gaveUp));
  }

  /**
   * Ends what a run has asked without an answer: it ended, was cancelled, or the conversation went on.
   * Idempotent; in the caller's transaction.
   * @param waiting ids of the calls for which it still waits.
   * @returns the interrupts that this call has ended.
   */
  cancelOfRun(
    userId: string,
    runId: string,
    waiting: readonly string[] = [],
  ): Promise<Interrupt[]> {
    return this.uow.run(async () => {
      const open = await this.interrupts.lockOpenOfRun(userId, runId);
      const now = this.clock.now();
      const ended: Interrupt[] = [];
      for (const interrupt of open) {
        if (!waiting.includes(interrupt.toolCallId))
          ended.push(await this.resolution.end(interrupt, now));
      }
      return ended;
    });
  }

  /** The interrupt as AG-UI's clients read it. */
  toAgui(interrupt: Interrupt): AguiInterrupt {
    return toAguiInterrupt(interrupt);
  }

  private stillPending(open: Interrupt[]): Interrupt[] {
    const now = this.clock.now();
    return open.filter((interrupt) => statusAt(interrupt, now) === 'pending');
  }

  /** Every entry must name, once, something that the thread waits for. */
  private async assertOpen(
    userId: string,
    threadId: string,
    entries: readonly ResumeEntry[],
    open: Interrupt[],
  ): Promise<void> {
    const named = new Set<string>();
    for (const [index, { interruptId }] of entries.entries()) {
      if (named.has(interruptId)) {
        const issue = { path: `resume.${index}.interruptId`, message: 'Stands twice.' };
        throw invalid('An interrupt is answered twice.', [issue]);
      }
      named.add(interruptId);
      if (open.some(({ id }) => id === interruptId)) continue;
      const known = await this.interrupts.find(userId, interruptId);
      if (known && known.threadId === threadId) throw alreadyResolved(known);
      throw notFound(interruptId);
    }
  }
}

function toResumedCall(interrupt: Interrupt, gaveUp?: GaveUp): ResumedCall {
  const error = refusalOf(interrupt, gaveUp);
  if (error) return { interrupt, action: 'refuse', error };
  return { interrupt, action: 'execute', input: interrupt.grantedInput ?? interrupt.input };
}

function invalid(message: string, issues: InputIssue[]): StewardError {
  return new StewardError('INVALID_ACTION_INPUT', message, { issues });
}

function incomplete(left: Interrupt[]): StewardError {
  return invalid(
    'Everything that the run waits for must be answered or cancelled.',
    left.map(({ id, message }) => ({
      path: 'resume',
      message: `${id} is not answered: ${message}`,
      expected: id,
    })),
  );
}
