import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { EventLog } from '../../events/event-log.js';
import { RecordPlacer } from '../../output-storage/record-placer.js';
import { MessageStore } from '../../threads/message.store.js';
import { TOOL_EXECUTOR, type ToolExecutor } from '../../tool-router/tool-executor.js';
import { AgentLoop } from '../loop/agent-loop.js';
import { RunEventWriter } from '../loop/run-event-writer.js';
import { beginsWith, type FoldedRun } from '../loop/run-fold.js';
import { TurnCalls, type Asked, type TurnCall } from '../loop/turn-calls.js';
import { RunModels } from '../models/run-models.js';
import { TokenMeter } from '../models/token-meter.js';
import type { RunCaller } from '../run-briefing.js';
import { RunWindow, type AnsweredMessage } from '../run-window.js';
import { text } from '../texts.js';
import { refusalsOf } from './open-call.js';
import { CancelledMeanwhile, RunCloser } from './run-closer.js';
import { cancelled, endingOf, succeeded, waiting, type Ending } from './run-ending.js';
import { RunInterrupts } from './run-interrupts.js';
import { INSTANCE_ID, RunLeases, RunLostError, goesOnElsewhere } from './run-leases.js';
import { RunRepository } from './run.repository.js';
import type { Run } from './run.js';

/** Calls of one model turn that are executed. */
const MAX_CALLS_PER_TURN = 16;

/** A stored run with what its execution needs besides, from the memory of this process or its rows. */
export interface Assignment {
  run: Run;
  caller: RunCaller;
  answers: AnsweredMessage;
  /** Where its durable events leave a run that was begun before; null for one that was not. */
  begun: FoldedRun | null;
  /** Calls without a result: of its own, or of the run before it with what became of what they asked. */
  open: TurnCall[];
  /** Id of the run's RUN_STARTED. */
  startEventId: number;
  /** Controlled credential of the run, and when it ends; never stored. */
  credential: string;
  credentialExpiresAt: Date;
}

/** Executes runs, each from its first stage to its one terminal event. */
@Injectable()
export class RunRunner {
  private readonly logger = new Logger(RunRunner.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    @Inject(TOOL_EXECUTOR) private readonly executor: ToolExecutor,
    private readonly models: RunModels,
    private readonly runs: RunRepository,
    private readonly log: EventLog,
    private readonly messages: MessageStore,
    private readonly outputs: RecordPlacer,
    private readonly leases: RunLeases,
    private readonly closer: RunCloser,
    private readonly windows: RunWindow,
    private readonly interrupts: RunInterrupts,
    private readonly clock: Clock,
  ) {}

  /**
   * Executes a run to its end, from its beginning or from where its events leave it. Never rejects: a
   * run whose end cannot be written keeps its lease until that runs out, and is then gone on with by
   * whichever process finds it.
   * @param controller aborting it with a StewardError ends the run for that reason; with one that says
   *   that the run goes on elsewhere, nothing more is written here.
   */
  async execute(assignment: Assignment, controller: AbortController): Promise<void> {
    const { run } = assignment;
    const { signal } = controller;
    const timer = this.startTimer(assignment, controller);
    const writer = this.writerOf(assignment);
    const calls = this.callsOf(assignment, writer, signal);
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
        loop = await this.prepare(assignment, calls, writer, signal);
        asked = await loop.execute();
      }
      const tokens = loop?.tokens ?? run.usage;
      ending = asked
        ? waiting(run.threadId, tokens, asked, run.locale)
        : succeeded(run.threadId, tokens);
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (goesOnElsewhere(reason)) return await writer.letGo();
      this.note(run, reason);
      ending = endingOf(reason, run.threadId, loop?.tokens ?? run.usage, run.locale);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
    await this.end(assignment, writer, ending, calls.unfinishedCallId);
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

  private assertBudget({ turns, usage, locale }: Run): void {
    const { RUN_MAX_TURNS, RUN_MAX_TOKENS } = this.config;
    if (turns >= RUN_MAX_TURNS) {
      throw new StewardError('LIMIT_EXCEEDED', text('tooManyTurns', locale));
    }
    if (RUN_MAX_TOKENS > 0 && new TokenMeter(usage).spent >= RUN_MAX_TOKENS) {
      throw new StewardError('LIMIT_EXCEEDED', text('tooManyTokens', locale));
    }
  }

  private async start({ run, startEventId }: Assignment): Promise<void> {
    const facts = { at: this.clock.now(), startEventId };
    const started = await this.runs.transition(run, this.instanceId, 'running', facts);
    if (!started) throw new RunLostError();
  }

  private writerOf({ run, begun, open }: Assignment): RunEventWriter {
    const { log, messages, outputs, clock } = this;
    const showsReasoning = this.config.MODEL_REASONING === 'show';
    const fence = () => this.leases.fence(run);
    const ports = { log, messages, outputs, clock, fence, showsReasoning };
    const from = begun ?? beginsWith(open.map(({ shown }) => shown));
    return new RunEventWriter(ports, { threadId: run.threadId, runId: run.id }, from);
  }

  private callsOf(
    { run, credential }: Assignment,
    writer: RunEventWriter,
    signal: AbortSignal,
  ): TurnCalls {
    const { locale, timezone } = run;
    // A call that another process will ask for again comes to its own end: its record is what that gets.
    const wanted = unlessGoesOn(signal);
    return new TurnCalls(
      {
        executor: { execute: (request) => this.executor.execute(request, wanted) },
        askedBy: (toolCallId) => this.interrupts.askedBy(run, toolCallId),
        limits: {
          maxIdenticalCalls: this.config.RUN_MAX_IDENTICAL_CALLS,
          maxCalls: this.config.RUN_MAX_CALLS,
          maxCallsPerTurn: MAX_CALLS_PER_TURN,
        },
      },
      {
        userId: run.userId,
        runId: run.id,
        threadId: run.threadId,
        credential,
        context: { locale, timezone, now: this.nowOf(run) },
      },
      writer,
      signal,
    );
  }

  /** After the calls that were open: what the model is shown has their results. */
  private async prepare(
    { run, caller, answers }: Assignment,
    calls: TurnCalls,
    writer: RunEventWriter,
    signal: AbortSignal,
  ): Promise<AgentLoop> {
    const now = this.nowOf(run);
    const { window, tools } = await this.windows.of(run, caller, answers, now);
    const { locale, timezone } = run;
    return new AgentLoop(
      {
        model: this.models.of({ runId: run.id, threadId: run.threadId }, run.usage),
        calls,
        writer,
        maxTurns: this.config.RUN_MAX_TURNS,
        maxTokens: this.config.RUN_MAX_TOKENS,
        noteTurn: (turns, made, usage) =>
          this.runs.noteTurn(run, { turns, usage, refusedCalls: refusalsOf(made, locale) }),
      },
      { window, tools, context: { locale, timezone, now }, turnsBefore: run.turns },
      signal,
    );
  }

  /** The instant that the run calls "now", which stays the same when it goes on elsewhere. */
  private nowOf({ startedAt }: Run): Date {
    return startedAt ?? this.clock.now();
  }

  /** A run ends with its time or with its credential, whichever comes first. */
  private startTimer(
    { run, credentialExpiresAt }: Assignment,
    controller: AbortController,
  ): NodeJS.Timeout {
    const now = this.clock.now().getTime();
    const credentialMs = credentialExpiresAt.getTime() - now;
    const startedAt = run.startedAt?.getTime() ?? now;
    const leftMs = Math.min(credentialMs, startedAt + this.config.RUN_TIMEOUT_SECONDS * 1000 - now);
    const expire = (): void => {
      const key = credentialMs <= 0 && !run.startedAt ? 'queueTimeout' : 'runTimeout';
      controller.abort(new StewardError('TIMEOUT', text(key, run.locale)));
    };
    if (leftMs <= 0) expire();
    return setTimeout(expire, Math.max(0, leftMs));
  }

  private async end(
    { run, startEventId }: Assignment,
    writer: RunEventWriter,
    ending: Ending,
    unfinishedCallId: string | null,
  ): Promise<void> {
    try {
      await this.closer.close(run, startEventId, writer, ending, { begunId: unfinishedCallId });
    } catch (error) {
      if (error instanceof RunLostError) return;
      const meant = error instanceof CancelledMeanwhile ? cancelled(run.threadId, null) : ending;
      try {
        await this.closer.closeFromLog(run, meant);
      } catch (again) {
        if (again instanceof RunLostError) return;
        this.logger.error(`The end of run ${run.id} could not be written: ${String(again)}`);
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
    this.logger.log(`Run ${run.id} ends with ${reason.code}: ${reason.message}${detail}`);
  }
}

/** A signal that aborts with `signal`, but not where the run goes on in another process. */
function unlessGoesOn(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    if (!goesOnElsewhere(signal.reason)) controller.abort(signal.reason);
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}
