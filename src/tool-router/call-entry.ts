import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { DEFAULT_LOCALE } from '../common/locale.js';
import { CredentialService } from '../credential/credential.service.js';
import { addToLogContext } from '../logging/log-context.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';
import { assertRun, checkId } from './call-session.js';
import { CallSettling } from './call-settling.js';
import { ClientCallHandedOut } from './client-tools/client-call.js';
import { RunClientTools } from './client-tools/run-client-tools.js';
import type { GatewayRequest } from './gateway-request.js';
import { DoorBudget } from './limits/door-budget.js';
import type { ParsedCall } from './parse-tool-call.js';
import { CallFailures } from './pipeline/call-failures.js';
import { RefusedCalls } from './records/refused-calls.js';
import type { CallFacts } from './tool-invocation.js';

/** The first step of a call: who makes it, and whether anybody vouches for that (PROTOCOL §13). */
@Injectable()
export class CallEntry {
  constructor(
    private readonly credentials: CredentialService,
    private readonly clientTools: RunClientTools,
    private readonly budget: DoorBudget,
    private readonly settling: CallSettling,
    private readonly refused: RefusedCalls,
    private readonly failures: CallFailures,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the record of the call, or of its refusal, which stands in the audit alone.
   * @throws ClientCallHandedOut.
   */
  async answer(
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
      return await addToLogContext(work, () =>
        this.settling.settle(request, signal, claims, parsed, facts),
      );
    } catch (error) {
      if (error instanceof ClientCallHandedOut) throw error;
      const refusal = this.failures.record(facts, error);
      const { address, door } = request;
      await this.refused.note({ userId, address, door }, facts.toolCallId, refusal);
      return refusal;
    }
  }
}
