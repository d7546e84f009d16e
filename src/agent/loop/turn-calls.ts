import { orAbort } from '../../common/abortable.js';
import type { Locale } from '../../common/locale.js';
import { StewardError } from '../../common/steward-error.js';
import type { AguiInterrupt } from '../../interrupts/agui-interrupt.js';
import type { AssistantToolCall } from '../../threads/thread-message.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { ExecutionRequest } from '../../tool-router/tool-executor.js';
import type { HandedOutCall } from '../../tool-router/client-tools/handed-out-call.js';
import { text, type TextKey } from '../texts.js';
import { CallGuard, type CountedCalls } from './call-guard.js';
import type { RunEventWriter } from './run-event-writer.js';
import { unexecutedCall, type Refusal } from './unexecuted-call.js';

/** Milliseconds that an aborted execution gets to say what it did; then the run goes on to end. */
const EXECUTOR_GRACE_MS = 2_000;

/** What a call that the guard did not admit gets as its result, and the run as its end. */
const GUARD_TEXTS = {
  repeats: ['repeatedCall', 'repeating'],
  exhausted: ['callBudget', 'tooManyCallsInRun'],
} as const satisfies Record<string, readonly [TextKey, TextKey]>;

/** A call that the turn has announced: what is executed, or why it is not. */
export interface TurnCall {
  /** With an id of ours and without credentials: for events, messages, logs and later turns. */
  shown: AssistantToolCall;
  /** Name and arguments for the executor, which refuses what is not right about them. */
  raw: { name: string; arguments: string };
  /** Set where it is answered without being executed. */
  refusal?: Refusal;
  /** Its record, where it was executed before the run came to this process, or its client answered. */
  recorded?: ToolAgentOutput;
  /** Set once it waits for the run's client. */
  handedOut?: HandedOutCall;
  /** Id of the message with its result, where that has one before it is told. */
  messageId?: string;
}

export interface CallPorts {
  executor: {
    execute: (
      request: ExecutionRequest,
      signal: AbortSignal,
    ) => Promise<ToolAgentOutput | { handedOut: HandedOutCall }>;
  };
  /** What a call of the run has asked its person; null when it has not, or nobody waits for that. */
  askedBy: (toolCallId: string) => Promise<AguiInterrupt | null>;
  limits: {
    /** Repetitions that end a run (`CallGuard`); the last call of them is not executed. */
    maxIdenticalCalls: number;
    /** Calls of the whole run; one more ends it and is not executed. */
    maxCalls: number;
    /** Calls of one turn that are executed; the others fail with LIMIT_EXCEEDED. */
    maxCallsPerTurn: number;
  };
}

/** One run, as its calls need it. */
export interface CallRun {
  userId: string;
  runId: string;
  threadId: string;
  /** Controlled credential; goes to the executor and nowhere else. */
  credential: string;
  context: { locale: Locale; timezone: string; now: Date };
  /** Calls of the runs that it goes on from for its client's answers, which count as its own. */
  callsBefore?: CountedCalls;
}

/** A call has asked the run's person, or calls are for its client: the run ends here and waits. */
export interface Asked {
  /** Null where it waits for its client alone. */
  interrupt: AguiInterrupt | null;
  /** The calls of the turn without a result, in their order; the first not handed out has asked. */
  open: TurnCall[];
  /** The calls so far that are not open. */
  counted: CountedCalls;
}

/** Executes the calls of turns, one after another, and tells the writer each result (PROTOCOL §3). */
export class TurnCalls {
  private readonly guard: CallGuard;
  /** Counts those alone that have their results: the others count where they get them. */
  private readonly told: CallGuard;
  private executing: string | null = null;
  /** Results so far. */
  results = 0;

  constructor(
    private readonly ports: CallPorts,
    private readonly run: CallRun,
    private readonly writer: Pick<RunEventWriter, 'addResult'>,
    private readonly signal: AbortSignal,
  ) {
    const { maxIdenticalCalls, maxCalls } = ports.limits;
    this.guard = new CallGuard(maxIdenticalCalls, maxCalls, run.callsBefore);
    this.told = new CallGuard(maxIdenticalCalls, maxCalls, run.callsBefore);
  }

  /** Id of the call whose outcome is not known because its execution did not come to an end. */
  get unfinishedCallId(): string | null {
    return this.executing;
  }

  /** Counts the calls that the run has had answered before it came to this process. */
  countBefore(answered: readonly AssistantToolCall[]): void {
    for (const call of answered) {
      this.guard.admit(call.name, call.arguments);
      this.noteTold(call);
    }
  }

  /**
   * @param calls announced, in their order, and without results.
   * @param before how many calls of the same turn have their results.
   * @returns their records, or what the run is to wait for: what the first that needs a person has asked,
   *   behind which nothing is executed, and the calls that are for the client, wherever they stand.
   * @throws the signal's reason when it aborts; StewardError LIMIT_EXCEEDED when calls repeat.
   */
  async answer(calls: TurnCall[], before = 0): Promise<ToolAgentOutput[] | Asked> {
    const records: ToolAgentOutput[] = [];
    const open: TurnCall[] = [];
    let interrupt: AguiInterrupt | null = null;
    for (const [index, call] of calls.entries()) {
      if (call.handedOut || (interrupt && waitsBehind(call))) {
        open.push(this.stillOpen(call, before + index));
        continue;
      }
      const outcome = await this.answerCall(call, before + index);
      if ('handedOut' in outcome) {
        open.push({ ...call, ...outcome });
        continue;
      }
      if (outcome.error?.code === 'APPROVAL_REQUIRED' && !interrupt) {
        interrupt = await this.ports.askedBy(call.shown.id);
        if (interrupt) {
          open.push(this.stillOpen(call, before + index));
          continue;
        }
      }
      await this.writer.addResult(outcome, call.messageId);
      this.noteTold(call.shown);
      records.push(outcome);
    }
    return open.length > 0 ? { interrupt, open, counted: this.told.counted } : records;
  }

  private noteTold({ name, arguments: args }: AssistantToolCall): void {
    this.told.admit(name, args);
    this.results += 1;
  }

  /** One past the limit stays so: a run that goes on counts anew. */
  private stillOpen(call: TurnCall, place: number): TurnCall {
    const over = place >= this.ports.limits.maxCallsPerTurn && !call.handedOut;
    return over ? { ...call, refusal: this.refusal('tooManyCalls') } : call;
  }

  private async answerCall(
    call: TurnCall,
    index: number,
  ): Promise<ToolAgentOutput | { handedOut: HandedOutCall }> {
    // As everybody may see it: a process that goes on with the run has nothing else to count.
    const verdict = this.guard.admit(call.shown.name, call.shown.arguments);
    if (call.recorded) return call.recorded;
    if (call.refusal) return this.refuse(call, call.refusal);
    if (verdict !== 'admitted') {
      const [refused, ends] = GUARD_TEXTS[verdict];
      await this.writer.addResult(this.refuse(call, this.refusal(refused)));
      throw new StewardError('LIMIT_EXCEEDED', text(ends, this.locale));
    }
    if (index >= this.ports.limits.maxCallsPerTurn) {
      return this.refuse(call, this.refusal('tooManyCalls'));
    }
    this.signal.throwIfAborted();
    this.executing = call.shown.id;
    const { userId, runId, threadId, credential, context } = this.run;
    const record = await orAbort(
      this.ports.executor.execute(
        {
          toolCallId: call.shown.id,
          name: call.raw.name,
          arguments: call.raw.arguments,
          credential,
          userId,
          runId,
          threadId,
          locale: this.locale,
          timezone: context.timezone,
        },
        this.signal,
      ),
      this.signal,
      EXECUTOR_GRACE_MS,
    );
    this.executing = null;
    return record;
  }

  private refuse(call: TurnCall, refusal: Refusal): ToolAgentOutput {
    return unexecutedCall(call.shown, refusal, this.run.context.now, this.locale);
  }

  private refusal(key: TextKey): Refusal {
    return { code: 'LIMIT_EXCEEDED', message: text(key, this.locale), retryable: false };
  }

  private get locale(): Locale {
    return this.run.context.locale;
  }
}

/**
 * Whether a call is left alone behind one that has asked. What a client was shown as its own is handed
 * out all the same, so that an answer that comes at once counts.
 */
function waitsBehind({ shown, recorded }: TurnCall): boolean {
  return !shown.client && !recorded;
}
