import { setTimeout as delay } from 'node:timers/promises';
import type { PendingCall } from '../../src/events/run-event.js';
import { answeringBody, sayingBody, type ClientForm, type Given } from './client-tools.js';
import { givenMark, type Mark } from './marks.js';
import type { Random } from './random.js';
import type { Requests } from './requests.js';

/** Calls that a run has left to its client. */
export interface Asked {
  threadId: string;
  runId: string;
  calls: readonly PendingCall[];
  /** The message that led to them, and how many answers it had before. */
  mark: Mark;
  answers: number;
}

/** What may become of an answer besides that it is taken. */
type Refusable = 'never' | 'when another is faster' | 'always';

/** A client that has tools: it answers once, twice, otherwise, too late, or never, by chance. */
export class ToolClient {
  constructor(
    readonly form: ClientForm,
    private readonly requests: Requests,
    private readonly random: Random,
  ) {}

  /** A request that says something and brings the tools. */
  saying(said: { threadId: string; mark: Mark; text: string }): object {
    return sayingBody(this.form, said);
  }

  /**
   * Answers, or not. @param speak says something else in the thread instead; a run's id, or null.
   * @returns the run that goes on; null for none.
   */
  async answer(asked: Asked, speak: () => Promise<string | null>): Promise<string | null> {
    const chance = this.random.next();
    if (chance < 0.08) return this.never();
    if (chance < 0.2) return this.tooLateForCancel(asked);
    if (chance < 0.3) return this.besideCancel(asked);
    if (chance < 0.42) return this.tooLate(asked, speak);
    if (chance < 0.57) return this.twice(asked);
    if (chance < 0.72) return this.inTwoWays(asked);
    this.requests.journal.went('once');
    if (this.random.chance(0.3)) await delay(this.random.between(500, 4_000));
    return this.send(asked, this.given(asked, 'a'), 'never');
  }

  /**
   * Answers what the person was asked, and the calls in the same request, or leaves those for later.
   * @returns the run that goes on; null when it was refused.
   */
  async resume(asked: Asked, resume: object[], key: string): Promise<string | null> {
    const calls = this.random.chance(0.5) ? asked.calls : [];
    this.requests.journal.went(calls.length > 0 ? 'with an approval' : 'after an approval');
    const given = this.given(asked, 'r');
    const body = answeringBody(this.form, asked, { calls, given, resume });
    const runId = await this.requests.start(body, key);
    this.note(asked.threadId, calls, given, runId ?? null);
    return runId;
  }

  private async never(): Promise<null> {
    this.requests.journal.went('never');
    return null;
  }

  private async tooLateForCancel(asked: Asked): Promise<null> {
    this.requests.journal.went('cancelled');
    await this.requests.cancel(asked.runId);
    if (this.random.chance(0.5)) await this.send(asked, this.given(asked, 'c'), 'always');
    return null;
  }

  private async besideCancel(asked: Asked): Promise<string | null> {
    this.requests.journal.went('beside a cancel');
    const sent = this.send(asked, this.given(asked, 'b'), 'when another is faster');
    const [runId] = await Promise.all([sent, this.requests.cancel(asked.runId)]);
    return runId;
  }

  private async tooLate(asked: Asked, speak: () => Promise<string | null>): Promise<string | null> {
    this.requests.journal.went('too late');
    const runId = await speak();
    // Whoever was refused has not given the calls up.
    if (runId !== null) await this.send(asked, this.given(asked, 'l'), 'always');
    return runId;
  }

  /** The same from two places at the same time: one run, of which both are told. */
  private async twice(asked: Asked): Promise<string | null> {
    this.requests.journal.went('twice');
    const given = this.given(asked, 'd');
    const both = [this.send(asked, given, 'never'), this.send(asked, given, 'never')];
    const [one, other] = await Promise.all(both);
    return one ?? other ?? null;
  }

  /** Two answers that differ at the same time: one of them is taken. */
  private async inTwoWays(asked: Asked): Promise<string | null> {
    this.requests.journal.went('in two ways');
    const [one, other] = await Promise.all(
      ['e', 'f'].map((letter) =>
        this.send(asked, this.given(asked, letter), 'when another is faster'),
      ),
    );
    if (!one && !other && !this.requests.cancelled.has(asked.runId)) {
      this.requests.complain(`no answer to ${asked.runId} was taken`);
    }
    return one ?? other ?? null;
  }

  private given({ mark, answers }: Asked, letter: string): Given {
    return { mark: givenMark(mark, answers, letter), failed: this.random.chance(0.15) };
  }

  private async send(asked: Asked, given: Given, refusable: Refusable): Promise<string | null> {
    const body = answeringBody(this.form, asked, { calls: asked.calls, given });
    const answer = await this.requests.ask('/agent/runs', body, {}, refusable === 'never');
    if (!answer) {
      this.note(asked.threadId, asked.calls, given, undefined);
      return null;
    }
    const runId = answer.status === 202 ? this.requests.accepted(answer) : null;
    this.note(asked.threadId, asked.calls, given, runId);
    if (runId !== null) return runId;
    const what = this.requests.refused(answer);
    const { code } = answer.body;
    const another = code === 'CONFLICT' || code === 'RUN_ACTIVE';
    // A cancel may have been slow. What is late may find that the thread waits for the results of other calls.
    const gone = refusable === 'always' || this.requests.cancelled.has(asked.runId);
    const late = gone && (another || code === 'INVALID_ACTION_INPUT');
    if (!late && !(refusable === 'when another is faster' && another)) this.requests.complain(what);
    return null;
  }

  private note(
    threadId: string,
    calls: readonly PendingCall[],
    { mark }: Given,
    runId: string | null | undefined,
  ): void {
    for (const { toolCallId } of calls) {
      this.requests.journal.answers.push({ threadId, toolCallId, given: mark, runId });
    }
  }
}
