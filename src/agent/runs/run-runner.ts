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
import { beginsWith } from '../loop/run-fold.js';
import { TurnCalls, type TurnCall } from '../loop/turn-calls.js';
import { RunModels } from '../models/run-models.js';
import type { RunCaller } from '../run-briefing.js';
import { RunWindow, type AnsweredMessage } from '../run-window.js';
import { text } from '../texts.js';
import { CancelledMeanwhile, RunCloser } from './run-closer.js';
import { cancelled, endingOf, succeeded, waiting, type Ending } from './run-ending.js';
import { RunInterrupts } from './run-interrupts.js';
import { HandedOverError, INSTANCE_ID, RunLeases, RunLostError } from './run-leases.js';
import { RunRepository } from './run.repository.js';
import type { Run } from './run.js';

/** Calls of one model turn that are executed. */
const MAX_CALLS_PER_TURN = 16;

/** A stored run with what only the memory of this process holds. */
export interface Assignment {
  run: Run;
  caller: RunCaller;
  answers: AnsweredMessage;
  /** Calls that the run before it left open, with what became of what they asked. */
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
   * Executes a run to its end. Never rejects: a run whose end cannot be written keeps its lease until
   * that runs out, and is then ended by whichever process finds it.
   * @param controller aborting it with a StewardError ends the run for that reason.
   */
  async execute(assignment: Assignment, controller: AbortController): Promise<void> {
    const { run, open } = assignment;
    const { signal } = controller;
    const timer = this.startTimer(assignment, controller);
    const writer = this.writerOf(assignment);
    const calls = this.callsOf(assignment, writer, signal);
    let loop: AgentLoop | null = null;
    let ending: Ending;
    try {
      signal.throwIfAborted();
      await writer.begin(() => this.start(assignment));
      const answered = await calls.answer(open);
      let asked = Array.isArray(answered) ? null : answered;
      if (!asked) {
        loop = await this.prepare(assignment, calls, writer, signal);
        asked = await loop.execute();
      }
      const tokens = loop?.tokens ?? null;
      ending = asked
        ? waiting(run.threadId, tokens, asked, run.locale)
        : succeeded(run.threadId, tokens);
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason instanceof HandedOverError || reason instanceof RunLostError) {
        await writer.settle();
        return;
      }
      this.note(run, reason);
      ending = endingOf(reason, run.threadId, loop?.tokens ?? null, run.locale);
    } finally {
      clearTimeout(timer);
    }
    await this.end(assignment, writer, ending, calls.unfinishedCallId);
  }

  private async start({ run, startEventId }: Assignment): Promise<void> {
    const facts = { at: this.clock.now(), startEventId };
    const started = await this.runs.transition(run, this.instanceId, 'running', facts);
    if (!started) throw new RunLostError();
  }

  private writerOf({ run, open }: Assignment): RunEventWriter {
    const { log, messages, outputs, clock } = this;
    const showsReasoning = this.config.MODEL_REASONING === 'show';
    const fence = () => this.leases.fence(run);
    const ports = { log, messages, outputs, clock, fence, showsReasoning };
    const calls = open.map(({ shown }) => shown);
    return new RunEventWriter(ports, { threadId: run.threadId, runId: run.id }, beginsWith(calls));
  }

  private callsOf(
    { run, credential }: Assignment,
    writer: RunEventWriter,
    signal: AbortSignal,
  ): TurnCalls {
    const { locale, timezone } = run;
    return new TurnCalls(
      {
        executor: this.executor,
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
        context: { locale, timezone, now: this.clock.now() },
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
    const now = this.clock.now();
    const { window, tools } = await this.windows.of(run, caller, answers, now);
    const { locale, timezone } = run;
    return new AgentLoop(
      {
        model: this.models.of({ runId: run.id, threadId: run.threadId }, null),
        calls,
        writer,
        maxTurns: this.config.RUN_MAX_TURNS,
        maxTokens: this.config.RUN_MAX_TOKENS,
      },
      { window, tools, context: { locale, timezone, now } },
      signal,
    );
  }

  /** A run ends with its time or with its credential, whichever comes first. */
  private startTimer(
    { run, credentialExpiresAt }: Assignment,
    controller: AbortController,
  ): NodeJS.Timeout {
    const credentialMs = credentialExpiresAt.getTime() - this.clock.now().getTime();
    const limitMs = this.config.RUN_TIMEOUT_SECONDS * 1000;
    const expire = (): void => {
      const key = credentialMs <= 0 ? 'queueTimeout' : 'runTimeout';
      controller.abort(new StewardError('TIMEOUT', text(key, run.locale)));
    };
    if (credentialMs <= 0) expire();
    return setTimeout(expire, Math.max(0, Math.min(credentialMs, limitMs)));
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
