import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { CLIENT_MODULE } from '../../common/capability-id.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { TOOL_NAME, type ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { parseToolCall } from '../../tool-router/parse-tool-call.js';
import type { ExecutionRequest, ToolExecutor } from '../../tool-router/tool-executor.js';
import { ToolGateway } from '../../tool-router/tool-gateway.js';
import type { HandedOutCall } from '../../tool-router/client-tools/handed-out-call.js';

/**
 * Has calls of tools of a run's client checked like any other, and handed out. They take no way through a
 * child or another replica: there is nothing to execute, and no door may hand out.
 */
@Injectable()
export class ClientCallDesk {
  constructor(
    @Inject(APP_CONFIG) private readonly config: Pick<AppConfig, 'INTERRUPT_TTL_SECONDS'>,
    private readonly gateway: ToolGateway,
    private readonly clock: Clock,
  ) {}

  /**
   * Executes a call, or hands it out.
   * @param executor of the calls that are no client's.
   */
  async execute(
    request: ExecutionRequest,
    executor: ToolExecutor,
    signal: AbortSignal,
  ): Promise<ToolAgentOutput | { handedOut: HandedOutCall }> {
    if (!isClients(request)) return executor.execute(request, signal);
    const startedAt = this.clock.now();
    const { credential, toolCallId, runId, locale, timezone, arguments: call } = request;
    const outcome = await this.gateway.handOut(
      { credential, call, toolCallId, runId, locale, timezone, door: 'agent' },
      signal,
    );
    if (!('handedOut' in outcome)) return outcome;
    const end = startedAt.getTime() + this.config.INTERRUPT_TTL_SECONDS * 1_000;
    const expiresAt = new Date(end).toISOString();
    const handedOut = { ...outcome.handedOut, startedAt: startedAt.toISOString(), expiresAt };
    return { handedOut };
  }
}

/** Whether it names the module of the clients' tools; whether there is such a tool, the router knows. */
function isClients({ name, arguments: text }: ExecutionRequest): boolean {
  return name === TOOL_NAME && parseToolCall(text).args.module === CLIENT_MODULE;
}
