import { Injectable } from '@nestjs/common';
import { AccountCache } from '../auth/account-cache.js';
import { DEFAULT_LOCALE, type Locale } from '../common/locale.js';
import type { StewardError } from '../common/steward-error.js';
import type { Permits } from '../interrupts/asked-call.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';
import type { CallContext } from './call-context.js';
import { CallExecution } from './call-execution.js';
import { doorOf } from './call-session.js';
import type { CallTrace } from './call-trace.js';
import type { CallClaims } from './caller.js';
import { CapabilityRegistry } from './capability-registry.js';
import { ClientCallHandedOut } from './client-tools/client-call.js';
import type { GatewayRequest } from './gateway-request.js';
import type { ParsedCall } from './parse-tool-call.js';
import { CallFailures } from './pipeline/call-failures.js';
import { Consent } from './pipeline/consent.js';
import { cancelled } from './pipeline/deadline.js';
import { asStewardError } from './pipeline/tool-error.js';
import { BrokenOffCall } from './records/broken-off-call.js';
import { CallAudit } from './records/call-audit.js';
import { CallLedger, type MethodLimits } from './records/call-ledger.js';
import type { CallFacts } from './tool-invocation.js';

/** A call of somebody who may call: executed with what persons grant to it, once, and recorded once. */
@Injectable()
export class CallSettling {
  constructor(
    private readonly accounts: AccountCache,
    private readonly registry: CapabilityRegistry,
    private readonly consent: Consent,
    private readonly ledger: CallLedger,
    private readonly execution: CallExecution,
    private readonly audit: CallAudit,
    private readonly failures: CallFailures,
  ) {}

  /**
   * @param claims of the call's credential, which holds.
   * @returns the record of the call; of one that waits for a person or was broken off, what says so.
   * @throws ClientCallHandedOut.
   */
  async settle(
    request: GatewayRequest,
    signal: AbortSignal,
    claims: CallClaims,
    parsed: ParsedCall,
    initial: CallFacts,
  ): Promise<ToolAgentOutput> {
    const { locale, timezone } = await this.preferences(request, claims.userId);
    const facts = { ...initial, locale };
    const { module, method } = parsed.args;
    const limits = this.registry.get(`${module}.${method}`)?.descriptor ?? NOTHING_RUNS;
    const abort = new AbortController();
    const onAbort = (): void => abort.abort(cancelled());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const context: CallContext = Object.freeze({
      userId: claims.userId,
      claims,
      toolCallId: facts.toolCallId,
      runId: claims.runId,
      threadId: claims.threadId,
      locale,
      timezone,
      door: doorOf(claims, request.door),
      ...(request.handsOut && { handsOut: true as const }),
      signal: abort.signal,
    });
    const { runId, threadId, userId, door } = context;
    const trace: CallTrace = { credentialJti: claims.jti, verdict: null };
    const key = { runId, threadId, toolCallId: facts.toolCallId, userId, door, trace };
    const record = (outcome: StewardError) => Promise.resolve(this.failures.record(facts, outcome));
    try {
      return await this.consent.settle((permits) =>
        // With what a person granted, the call and the use of it commit together.
        this.ledger.settle(
          key,
          facts,
          isEmpty(permits) ? limits : asWrite(limits),
          () => this.execution.execute({ parsed, facts, context, abort, permits, trace }),
          abort.signal,
        ),
      );
    } catch (error) {
      if (error instanceof ClientCallHandedOut) {
        await this.audit.handedOut(key, facts.args);
        throw error;
      }
      if (error instanceof BrokenOffCall) {
        await this.audit.unrecorded(key, error.record);
        return error.record;
      }
      const outcome = asStewardError(error);
      // A call that waits is not over: its interrupt stands for it.
      if (outcome.code === 'APPROVAL_REQUIRED') {
        const waiting = this.failures.record(facts, outcome);
        await this.audit.unrecorded(key, waiting);
        return waiting;
      }
      return await this.ledger.settle(key, facts, NOTHING_RUNS, () => record(outcome));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  private async preferences(
    { locale, timezone }: GatewayRequest,
    userId: string,
  ): Promise<{ locale: Locale; timezone: string }> {
    if (locale !== undefined && timezone !== undefined) return { locale, timezone };
    const user = await this.accounts.get(userId);
    return {
      locale: locale ?? user?.locale ?? DEFAULT_LOCALE,
      timezone: timezone ?? user?.timezone ?? 'UTC',
    };
  }
}

/** Of a call that names no method. */
const NOTHING_RUNS: MethodLimits = { effect: 'read', timeoutMs: 0 };

function isEmpty({ approval, answer }: Permits): boolean {
  return approval === undefined && answer === undefined;
}

function asWrite({ timeoutMs }: MethodLimits): MethodLimits {
  return { effect: 'write', timeoutMs };
}
