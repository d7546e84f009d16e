import { Injectable } from '@nestjs/common';
import { AccountCache } from '../auth/account-cache.js';
import { Clock } from '../common/clock.js';
import { CLIENT_MODULE } from '../common/capability-id.js';
import { newId } from '../common/ids.js';
import { addToLogContext } from '../logging/log-context.js';
import { ToolTelemetry } from '../observability/tool-telemetry.js';
import { DEFAULT_LOCALE, type Locale } from '../common/locale.js';
import { StewardError } from '../common/steward-error.js';
import { CredentialService } from '../credential/credential.service.js';
import type { Permits } from '../interrupts/asked-call.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';
import type { CallContext, Door } from './call-context.js';
import { assertRun, checkId, doorOf, withAnswer } from './call-session.js';
import { CapabilityAccess } from './capability-access.js';
import { CapabilityRegistry } from './capability-registry.js';
import type { CallClaims, Caller } from './caller.js';
import { ClientCallHandedOut, type ClientCall } from './client-tools/client-call.js';
import { RunClientTools } from './client-tools/run-client-tools.js';
import { CurrentCall } from './current-call.js';
import { DoorBudget } from './limits/door-budget.js';
import { parseToolCall, type ParsedCall } from './parse-tool-call.js';
import { ApprovalGate } from './pipeline/approval-gate.js';
import { CallSuspended } from './pipeline/call-suspended.js';
import { CapabilityPipeline } from './pipeline/capability-pipeline.js';
import { Consent } from './pipeline/consent.js';
import { cancelled } from './pipeline/deadline.js';
import { FailureLog } from './pipeline/failure-log.js';
import { failureRecord } from './pipeline/record-builder.js';
import { asStewardError } from './pipeline/tool-error.js';
import { projectCliTool, type ProjectCliTool } from './project-cli-tool.js';
import type { CallTrace } from './call-trace.js';
import { BrokenOffCall } from './records/broken-off-call.js';
import { CallAudit } from './records/call-audit.js';
import { CallLedger, type MethodLimits } from './records/call-ledger.js';
import { RefusedCalls } from './records/refused-calls.js';
import { ToolInvocation, type CallFacts } from './tool-invocation.js';

/** One call as a door hands it over. */
export interface GatewayRequest {
  /** Controlled credential; a bearer token of a person is none. */
  credential: string | undefined;
  /** `{module, method, input?}` or JSON text of it, read by nobody yet. */
  call: unknown;
  /** Absent: one is made. In a run, a call that is recorded under it is not executed again. */
  toolCallId?: string | undefined;
  /** Run that the door says the call belongs to; must be the credential's. */
  runId?: string | null | undefined;
  /** Absent: the user's own. */
  locale?: Locale | undefined;
  timezone?: string | undefined;
  door: Door;
  /** Where the call came from, when it came over a network. */
  address?: string | undefined;
  /** The runtime has the run wait for what its client is to carry out; no door says so. */
  handsOut?: true;
}

/** A call that its run's client is to carry out. */
export interface HandedOut {
  status: 'handed_out';
  error: null;
  handedOut: ClientCall;
}

/**
 * The way of every call, whichever door it comes through (PROTOCOL §3): credential, router,
 * whitelist guard, input, handler, post-processor, record.
 */
@Injectable()
export class ToolGateway {
  constructor(
    private readonly credentials: CredentialService,
    private readonly accounts: AccountCache,
    private readonly registry: CapabilityRegistry,
    private readonly clientTools: RunClientTools,
    private readonly access: CapabilityAccess,
    private readonly pipeline: CapabilityPipeline,
    private readonly gate: ApprovalGate,
    private readonly consent: Consent,
    private readonly current: CurrentCall,
    private readonly ledger: CallLedger,
    private readonly audit: CallAudit,
    private readonly budget: DoorBudget,
    private readonly refused: RefusedCalls,
    private readonly failures: FailureLog,
    private readonly clock: Clock,
    private readonly telemetry: ToolTelemetry,
  ) {}

  /**
   * Executes one call and gives its record. Never throws for what a caller did wrong: a malformed
   * call, a bad credential, a denial are failure records. Calls without a valid credential are not
   * stored but in the audit: nobody vouches for them.
   * @param signal ends the call with CANCELLED, which is recorded unless the call's run goes on.
   */
  invoke(request: GatewayRequest, signal: AbortSignal): Promise<ToolAgentOutput> {
    const call = parseToolCall(request.call);
    return this.telemetry.call(this.countedAs(call), () => this.answer(request, call, signal));
  }

  /**
   * The same for a call of a run whose client may have to carry it out: one of the client's tools comes
   * back checked, when nothing keeps it from being called, and has no record until its client answers.
   */
  handOut(request: GatewayRequest, signal: AbortSignal): Promise<ToolAgentOutput | HandedOut> {
    const call = parseToolCall(request.call);
    return this.telemetry.call<ToolAgentOutput | HandedOut>(this.countedAs(call), async () => {
      try {
        return await this.answer({ ...request, handsOut: true }, call, signal);
      } catch (error) {
        if (!(error instanceof ClientCallHandedOut)) throw error;
        return { status: 'handed_out', error: null, handedOut: error.call };
      }
    });
  }

  /** The method as metrics name it: strangers name the tools of clients, so that those are counted as one. */
  private countedAs({ args: { module, method } }: ParsedCall): string | null {
    const id = `${module}.${method}`;
    if (this.registry.get(id)) return id;
    return module === CLIENT_MODULE ? `${CLIENT_MODULE}.*` : null;
  }

  private async answer(
    request: GatewayRequest,
    call: ParsedCall,
    signal: AbortSignal,
  ): Promise<ToolAgentOutput> {
    const { toolCallId = newId('call') } = request;
    const idError = checkId(toolCallId);
    const parsed: ParsedCall = idError ? { args: call.args, error: idError } : call;
    const facts: CallFacts = {
      toolCallId: idError ? newId('call') : toolCallId,
      args: parsed.args,
      startedAt: this.clock.now(),
      locale: request.locale ?? DEFAULT_LOCALE,
    };
    let userId: string | null = null;
    try {
      const verified = await this.credentials.verify(request.credential);
      assertRun(verified, request.runId);
      userId = verified.userId;
      if (request.door === 'http') this.budget.take(userId);
      const claims = {
        ...verified,
        clientTools: await this.clientTools.of(userId, verified.runId),
      };
      const { runId, threadId } = claims;
      const work = {
        runId: runId ?? undefined,
        threadId: threadId ?? undefined,
        toolCallId: facts.toolCallId,
      };
      return await addToLogContext(work, () => this.settle(request, signal, claims, parsed, facts));
    } catch (error) {
      if (error instanceof ClientCallHandedOut) throw error;
      const refusal = this.failure(facts, error);
      const { address, door } = request;
      await this.refused.note({ userId, address, door }, facts.toolCallId, refusal);
      return refusal;
    }
  }

  /**
   * The tool as a model gets it (PROTOCOL §2); with `caller`, only the modules of which it may
   * execute a method are named.
   */
  projectCliTool(caller?: Caller): ProjectCliTool {
    return projectCliTool(
      caller ? this.access.visibleModules(caller) : this.registry.listModules(),
    );
  }

  private async settle(
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
    const record = (outcome: StewardError) => Promise.resolve(this.failure(facts, outcome));
    try {
      return await this.consent.settle((permits) =>
        // With what a person granted, the call and the use of it commit together.
        this.ledger.settle(
          key,
          facts,
          isEmpty(permits) ? limits : asWrite(limits),
          () => this.execute(parsed, facts, context, abort, permits, trace),
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
        const waiting = this.failure(facts, outcome);
        await this.audit.unrecorded(key, waiting);
        return waiting;
      }
      return await this.ledger.settle(key, facts, NOTHING_RUNS, () => record(outcome));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  private async execute(
    parsed: ParsedCall,
    facts: CallFacts,
    context: CallContext,
    abort: AbortController,
    permits: Permits,
    trace: CallTrace,
  ): Promise<ToolAgentOutput> {
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
      return this.failure(facts, error);
    }
  }

  private failure(facts: CallFacts, error: unknown): ToolAgentOutput {
    const known = asStewardError(error);
    this.failures.log(`${facts.args.module}.${facts.args.method}`, known);
    return failureRecord(facts, known, this.clock.now());
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
