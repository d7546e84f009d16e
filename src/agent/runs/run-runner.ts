import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { EventLog } from '../../events/event-log.js';
import { RecordPlacer } from '../../output-storage/record-placer.js';
import { MessageStore } from '../../threads/message.store.js';
import type { NewThreadMessage } from '../../threads/thread-message.js';
import { MessageRecords } from '../../tool-output/storage/message-records.js';
import { TOOL_EXECUTOR, type ToolExecutor } from '../../tool-router/tool-executor.js';
import { MessageContents } from '../attachments/message-contents.js';
import { HISTORY_LIMIT, runContext } from '../context/context-rebuild.js';
import { ContextWindow } from '../context/context-window.js';
import { TokenCounter } from '../context/token-counter.js';
import { AgentLoop } from '../loop/agent-loop.js';
import { RunEventWriter } from '../loop/run-event-writer.js';
import { CHAT_MODEL, type ChatModel } from '../models/chat-model.js';
import { RunBriefing, type RunCaller } from '../run-briefing.js';
import { text } from '../texts.js';
import { RunCloser } from './run-closer.js';
import { endingOf, succeeded, type Ending } from './run-ending.js';
import { INSTANCE_ID, RunLeases, RunLostError } from './run-leases.js';
import { RunRepository } from './run.repository.js';
import type { Run } from './run.js';

/** Calls of one model turn that are executed. */
const MAX_CALLS_PER_TURN = 16;

/** Bytes of records that are read for a run's context; it takes less than that of them. */
const CONTEXT_RECORDS_MAX_BYTES = 4 * 1024 * 1024;

/** A stored run with what only the memory of this process holds. */
export interface Assignment {
  run: Run;
  caller: RunCaller;
  message: NewThreadMessage;
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
    @Inject(CHAT_MODEL) private readonly model: ChatModel,
    @Inject(TOOL_EXECUTOR) private readonly executor: ToolExecutor,
    private readonly runs: RunRepository,
    private readonly log: EventLog,
    private readonly messages: MessageStore,
    private readonly outputs: RecordPlacer,
    private readonly records: MessageRecords,
    private readonly leases: RunLeases,
    private readonly closer: RunCloser,
    private readonly briefing: RunBriefing,
    private readonly contents: MessageContents,
    private readonly tokens: TokenCounter,
    private readonly clock: Clock,
  ) {}

  /**
   * Executes a run to its end. Never rejects: a run whose end cannot be written keeps its lease until
   * that runs out, and is then ended by whichever process finds it.
   * @param controller aborting it with a StewardError ends the run for that reason.
   */
  async execute(assignment: Assignment, controller: AbortController): Promise<void> {
    const { run } = assignment;
    const { signal } = controller;
    const timer = this.startTimer(assignment, controller);
    const { log, messages, outputs, clock } = this;
    const ports = { log, messages, outputs, clock };
    const place = { threadId: run.threadId, runId: run.id };
    const writer = new RunEventWriter({ ...ports, fence: () => this.leases.fence(run) }, place);
    let loop: AgentLoop | null = null;
    let ending: Ending;
    try {
      signal.throwIfAborted();
      await writer.begin(() => this.start(assignment));
      loop = await this.prepare(assignment, writer, signal);
      await loop.execute();
      ending = succeeded(run.threadId, loop.tokens);
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      this.note(run, reason);
      ending = endingOf(reason, run.threadId, loop?.tokens ?? null, run.locale);
    } finally {
      clearTimeout(timer);
    }
    await this.end(assignment, writer, ending, loop?.unfinishedCallId ?? null);
  }

  private async start({ run, startEventId }: Assignment): Promise<void> {
    const facts = { at: this.clock.now(), startEventId };
    const started = await this.runs.transition(run, this.instanceId, 'running', facts);
    if (!started) throw new RunLostError();
  }

  private async prepare(
    { run, caller, message, credential }: Assignment,
    writer: RunEventWriter,
    signal: AbortSignal,
  ): Promise<AgentLoop> {
    const now = this.clock.now();
    const history = await this.records.legible(
      await this.messages.page(run.threadId, { limit: HISTORY_LIMIT }),
      CONTEXT_RECORDS_MAX_BYTES,
    );
    const known = history.some(({ id }) => id === message.id) ? history : [message, ...history];
    const { system, tools } = await this.briefing.of(run, caller, message.content, now);
    const window = new ContextWindow(
      {
        system,
        tools,
        groups: runContext(history, message, await this.contents.of(run.userId, known)),
        older: Math.max(0, (history.at(-1)?.seq ?? 1) - 1),
        maxTokens: this.config.CONTEXT_MAX_TOKENS,
        locale: run.locale,
        images: (projections) => this.contents.ofResults(run.userId, projections),
        note: (used) => this.runs.noteContext(run, used),
      },
      this.tokens,
    );
    return new AgentLoop(
      {
        model: this.model,
        executor: this.executor,
        limits: {
          maxTurns: this.config.RUN_MAX_TURNS,
          maxIdenticalCalls: this.config.RUN_MAX_IDENTICAL_CALLS,
          maxCallsPerTurn: MAX_CALLS_PER_TURN,
        },
      },
      {
        userId: run.userId,
        runId: run.id,
        threadId: run.threadId,
        credential,
        window,
        tools,
        context: { locale: run.locale, timezone: run.timezone, now },
      },
      writer,
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
      await this.closer.close(run, startEventId, writer, ending, unfinishedCallId);
    } catch (error) {
      if (error instanceof RunLostError) return;
      try {
        await this.closer.closeFromLog(run, ending);
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
