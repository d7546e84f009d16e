import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import type { ErrorCode } from '../../../common/error-codes.js';
import { StewardError } from '../../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { isPassingFailure } from '../../../database/passing-failure.js';
import { RunLostError } from '../../../events/run-lost-error.js';
import type { AgentLoop } from '../../loop/agent-loop.js';
import type { RunEventWriter } from '../../loop/run-event-writer.js';
import type { Asked, TurnCalls } from '../../loop/turn-calls.js';
import { TokenMeter } from '../../models/token-meter.js';
import { text } from '../../texts.js';
import type { Assignment } from './assignment.js';
import { CancelledMeanwhile, RunCloser } from './run-closer.js';
import { startDeadline } from './run-deadline.js';
import { cancelled, endingOf, succeeded, waiting, type Ending } from './run-ending.js';
import { INSTANCE_ID, goesOnElsewhere } from '../queue/run-leases.js';
import { RunParts } from './run-parts.js';
import { UnwrittenEnds } from './unwritten-ends.js';
import { RunReleases } from '../queue/run-releases.js';
import { RunStateRepository } from '../run-state.repository.js';
import type { Run } from '../run.js';

/** What ends runs that an operator can do something about: a model or a service that cannot be had. */
const OPERATORS_FAULTS: ReadonlySet<ErrorCode> = new Set([
  'DEPENDENCY_UNAVAILABLE',
  'RATE_LIMITED',
  'TIMEOUT',
]);

/** Executes runs, each from its first stage to its one terminal event. */
@Injectable()
export class RunRunner {
  private readonly logger = new Logger(RunRunner.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly states: RunStateRepository,
    private readonly closer: RunCloser,
    private readonly parts: RunParts,
    private readonly releases: RunReleases,
    private readonly unwritten: UnwrittenEnds,
    private readonly clock: Clock,
  ) {}

  /**
   * Executes a run to its end, from its beginning or from where its events leave it. Never rejects: a
   * run that the database breaks off is let go of without an end and gone on with by whichever process
   * claims it; one whose end cannot be written for another reason is ended as UnwrittenEnds has it.
   * @param controller aborting it with a StewardError ends the run for that reason; with one that says
   *   that the run goes on elsewhere, nothing more is written here.
   */
  async execute(assignment: Assignment, controller: AbortController): Promise<void> {
    const { run } = assignment;
    const { signal } = controller;
    const timeoutMs = this.config.RUN_TIMEOUT_SECONDS * 1000;
    const now = this.clock.now().getTime();
    const deadline = startDeadline(assignment, now, timeoutMs, controller);
    const writer = this.parts.writer(assignment);
    const calls = this.parts.calls(assignment, writer, signal);
    let loop: AgentLoop | null = null;
    let ending: Ending;
    const leave = (): void => {
      if (goesOnElsewhere(signal.reason)) void writer.letGo();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      signal.throwIfAborted();
      if (!assignment.begun) await writer.begin(() => this.start(assignment));
      let asked = await this.answerOpen(assignment, calls);
      if (!asked && !assignment.begun?.concluded) {
        loop = await this.parts.loop(assignment, calls, writer, signal);
        asked = await loop.execute();
      }
      const tokens = loop?.tokens ?? run.usage;
      ending = asked
        ? waiting(run.threadId, tokens, asked, run.locale)
        : succeeded(run.threadId, tokens);
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (goesOnElsewhere(reason)) return await writer.letGo();
      if (isPassingFailure(reason)) {
        await writer.letGo();
        return await this.releases.release(run, reason, signal);
      }
      this.note(run, reason);
      ending = endingOf(reason, run.threadId, loop?.tokens ?? run.usage, run.locale);
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', leave);
    }
    await this.end(assignment, writer, ending, calls.unfinishedCallId, signal);
  }

  /** @returns what a call has asked; null when all have their results. */
  private async answerOpen(
    { run, begun, open }: Assignment,
    calls: TurnCalls,
  ): Promise<Asked | null> {
    calls.countBefore(begun?.answered ?? []);
    // What ends a run before the calls of its turn does so whichever process gets to them.
    if (open.length > 0) this.assertBudget(run);
    const answered = await calls.answer(open, begun?.answeredOfTurn);
    return Array.isArray(answered) ? null : answered;
  }

  private assertBudget(run: Run): void {
    const { locale, turns, spentBefore: before } = run;
    const { RUN_MAX_TURNS, RUN_MAX_TOKENS } = this.config;
    if ((before?.turns ?? 0) + turns >= RUN_MAX_TURNS) {
      throw new StewardError('LIMIT_EXCEEDED', text('tooManyTurns', locale));
    }
    const tokens = (before?.tokens ?? 0) + new TokenMeter(run).spent;
    if (RUN_MAX_TOKENS > 0 && tokens >= RUN_MAX_TOKENS) {
      throw new StewardError('LIMIT_EXCEEDED', text('tooManyTokens', locale));
    }
  }

  private async start({ run, startEventId }: Assignment): Promise<void> {
    const facts = { at: this.clock.now(), startEventId };
    const started = await this.states.transition(run, this.instanceId, 'running', facts);
    if (!started) throw new RunLostError();
  }

  private async end(
    { run, startEventId }: Assignment,
    writer: RunEventWriter,
    ending: Ending,
    begunId: string | null,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await this.closer.close(run, startEventId, writer, ending, { begunId });
    } catch (error) {
      // What it has come to is not known to be stored, and found again from its rows.
      if (error instanceof RunLostError || isPassingFailure(error)) {
        return this.unwritten.take(run, ending, error, signal);
      }
      const meant =
        error instanceof CancelledMeanwhile ? cancelled(run.threadId, ending.usage) : ending;
      try {
        await this.closer.closeFromLog(run, meant, { begunId });
      } catch (again) {
        await this.unwritten.take(run, meant, again, signal);
      }
    }
  }

  private note(run: Run, reason: unknown): void {
    if (!(reason instanceof StewardError)) {
      const stack = reason instanceof Error ? reason.stack : String(reason);
      this.logger.error(`Run ${run.id} failed`, stack);
      return;
    }
    const detail = reason.cause instanceof StewardError ? ` (${reason.cause.message})` : '';
    const line = `Run ${run.id} ends with ${reason.code}: ${reason.message}${detail}`;
    // What an operator can mend stands out from what a person or a budget ended.
    if (OPERATORS_FAULTS.has(reason.code)) this.logger.warn(line);
    else this.logger.log(line);
  }
}
