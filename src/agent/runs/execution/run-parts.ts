import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { EventLog } from '../../../events/event-log.js';
import { RecordPlacer } from '../../../output-storage/record-placer.js';
import { MessageStore } from '../../../threads/message.store.js';
import { TOOL_EXECUTOR, type ToolExecutor } from '../../../tool-router/tool-executor.js';
import type { Caller } from '../../../tool-router/caller.js';
import { CapabilityAccess } from '../../../tool-router/capability-access.js';
import { ClientCallDesk } from '../../client-calls/client-call-desk.js';
import { shownCall } from '../../client-calls/shown-call.js';
import { AgentLoop } from '../../loop/agent-loop.js';
import { RunEventWriter } from '../../loop/run-event-writer.js';
import { beginsWith } from '../../loop/run-fold.js';
import { TurnCalls } from '../../loop/turn-calls.js';
import { RunModels } from '../../models/run-models.js';
import type { RunCaller } from '../../run-briefing.js';
import { RunWindow } from '../../run-window.js';
import type { Assignment } from './assignment.js';
import { RunNotesRepository } from './run-notes.repository.js';
import { refusalsOf } from '../open-call.js';
import { RunInterrupts } from '../waiting/run-interrupts.js';
import { INSTANCE_ID, goesOnElsewhere } from '../queue/run-leases.js';
import { NOTHING_SPENT } from '../run-spending.js';
import type { Run } from '../run.js';

/** Calls of one model turn that are executed. */
const MAX_CALLS_PER_TURN = 16;

/** Makes what a run is executed with. */
@Injectable()
export class RunParts {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(TOOL_EXECUTOR) private readonly executor: ToolExecutor,
    private readonly clients: ClientCallDesk,
    private readonly access: CapabilityAccess,
    private readonly models: RunModels,
    private readonly notes: RunNotesRepository,
    private readonly log: EventLog,
    private readonly messages: MessageStore,
    private readonly outputs: RecordPlacer,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly windows: RunWindow,
    private readonly interrupts: RunInterrupts,
    private readonly clock: Clock,
  ) {}

  /** The writer of the run's events, which goes on where they end. */
  writer({ run, begun, open }: Assignment): RunEventWriter {
    const { log, messages, outputs, clock } = this;
    const showsReasoning = this.config.MODEL_REASONING === 'show';
    const holder = { userId: run.userId, instanceId: this.instanceId };
    const ports = { log, messages, outputs, clock, holder, showsReasoning };
    const from = begun ?? beginsWith(open.map(({ shown }) => shown));
    return new RunEventWriter(ports, { threadId: run.threadId, runId: run.id }, from);
  }

  /** The calls of the run's turns, made with its credential until `signal` aborts. */
  calls({ run, credential }: Assignment, writer: RunEventWriter, signal: AbortSignal): TurnCalls {
    const { locale, timezone } = run;
    // A call that another process will ask for again comes to its own end: its record is what that gets.
    const wanted = unlessGoesOn(signal);
    return new TurnCalls(
      {
        executor: { execute: (request) => this.clients.execute(request, this.executor, wanted) },
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
        ...(run.spentBefore && { callsBefore: run.spentBefore.calls }),
      },
      writer,
      signal,
    );
  }

  /** To be made after the calls that were open: what the model is shown has their results. */
  async loop(
    { run, caller, answers, begun }: Assignment,
    calls: TurnCalls,
    writer: RunEventWriter,
    signal: AbortSignal,
  ): Promise<AgentLoop> {
    const now = this.nowOf(run);
    const { window, tools } = await this.windows.of(run, caller, answers, now);
    const { locale, timezone } = run;
    const before = run.spentBefore ?? NOTHING_SPENT;
    return new AgentLoop(
      {
        model: this.models.of(
          { runId: run.id, threadId: run.threadId },
          { counted: run, model: begun?.model ?? null },
        ),
        calls,
        writer,
        maxTurns: this.config.RUN_MAX_TURNS,
        maxTokens: this.config.RUN_MAX_TOKENS,
        present: (made) =>
          Promise.all(made.map((call) => shownCall(call, this.access, this.callerOf(run, caller)))),
        noteTurn: (turns, made, counted) =>
          this.notes.noteTurn(run, {
            turns: turns - before.turns,
            ...counted,
            refusedCalls: refusalsOf(made, locale),
          }),
      },
      {
        window,
        tools,
        context: { locale, timezone, now },
        turnsBefore: before.turns + run.turns,
        tokensBefore: before.tokens,
      },
      signal,
    );
  }

  private callerOf({ profile, scope, clientTools }: Run, { userId, roles }: RunCaller): Caller {
    return { userId, roles, profile, scope, clientTools };
  }

  /** The instant that the run calls "now", which stays the same when it goes on elsewhere. */
  private nowOf({ startedAt }: Run): Date {
    return startedAt ?? this.clock.now();
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
