import type { JsonObject } from '../common/json.js';
import type { Permits } from '../interrupts/asked-call.js';
import type { InputRepair, ToolCallArgs } from '../tool-output/tool-agent-output.js';
import type { CallContext } from './call-context.js';
import type { CallTrace } from './call-trace.js';
import type { RegisteredCapability } from './capability-registration.js';

/** What is known of a call before it runs, also of one that never will. */
export interface CallFacts {
  toolCallId: string;
  /** What goes into the record: redacted, and safe to store. */
  args: ToolCallArgs;
  startedAt: Date;
  locale: CallContext['locale'];
}

/** Stands before the handler, and lets a call through or not. */
export interface CallGate {
  /**
   * @param value input as the handler gets it.
   * @throws StewardError, CallSuspended for a call that may not run, or not yet.
   */
  admit(invocation: ToolInvocation, value: object): Promise<void>;
  /** For a call that was admitted and has not run all the same. */
  leave(invocation: ToolInvocation): Promise<void>;
}

/**
 * One call on its way through guard, pipe, handler and post-processor; the single argument of every
 * bound method. The pipe leaves what it validated here.
 */
export class ToolInvocation {
  /** Repaired and validated input as plain JSON; null until the pipe has run. */
  input: JsonObject | null = null;
  repairs: InputRepair[] = [];

  constructor(
    readonly capability: RegisteredCapability,
    readonly context: CallContext,
    /** Input as the caller sent it. */
    readonly rawInput: JsonObject,
    readonly facts: CallFacts,
    /** Aborts `context.signal`: the caller left, or the method's time is over. */
    readonly abort: AbortController,
    /** What persons have granted to this call. */
    readonly permits: Permits,
    /** Admits the call to its handler, once its input is frozen. */
    readonly gate: CallGate,
    readonly trace: CallTrace,
  ) {}
}
