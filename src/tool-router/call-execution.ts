import { Injectable } from '@nestjs/common';
import type { Permits } from '../interrupts/asked-call.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';
import type { CallContext } from './call-context.js';
import { withAnswer } from './call-session.js';
import type { CallTrace } from './call-trace.js';
import { CapabilityAccess } from './capability-access.js';
import { ClientCallHandedOut } from './client-tools/client-call.js';
import { CurrentCall } from './current-call.js';
import type { ParsedCall } from './parse-tool-call.js';
import { ApprovalGate } from './pipeline/approval-gate.js';
import { CallFailures } from './pipeline/call-failures.js';
import { CallSuspended } from './pipeline/call-suspended.js';
import { CapabilityPipeline } from './pipeline/capability-pipeline.js';
import { cancelled } from './pipeline/deadline.js';
import { ToolInvocation, type CallFacts } from './tool-invocation.js';

/** One attempt at a call. */
export interface Attempt {
  parsed: ParsedCall;
  facts: CallFacts;
  context: CallContext;
  /** Aborts `context.signal`. */
  abort: AbortController;
  /** What persons have granted to the call so far. */
  permits: Permits;
  trace: CallTrace;
}

/** From the router on: the method is looked up, and executed behind its guard and its gate. */
@Injectable()
export class CallExecution {
  constructor(
    private readonly access: CapabilityAccess,
    private readonly pipeline: CapabilityPipeline,
    private readonly gate: ApprovalGate,
    private readonly current: CurrentCall,
    private readonly failures: CallFailures,
  ) {}

  /**
   * @returns the record of the attempt, also of one that failed.
   * @throws CallSuspended, ClientCallHandedOut for a call that waits.
   */
  async execute(attempt: Attempt): Promise<ToolAgentOutput> {
    const { parsed, facts, context, abort, permits, trace } = attempt;
    try {
      if (parsed.error) throw parsed.error;
      if (abort.signal.aborted) throw cancelled();
      const { module, method } = parsed.args;
      const capability = this.access.resolve(context.claims, module, method);
      const answered = withAnswer(context, permits);
      const invocation = new ToolInvocation(
        capability,
        answered,
        parsed.input,
        facts,
        abort,
        permits,
        this.gate,
        trace,
      );
      return await this.current.run(answered, () => this.pipeline.run(invocation));
    } catch (error) {
      if (error instanceof CallSuspended || error instanceof ClientCallHandedOut) throw error;
      return this.failures.record(facts, error);
    }
  }
}
