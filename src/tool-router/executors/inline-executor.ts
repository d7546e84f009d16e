import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { ExecutionRequest, ToolExecutor } from '../tool-executor.js';
import { ToolGateway } from '../tool-gateway.js';
import { unknownFunction } from './model-call.js';

/** Executes a call in this process (PROTOCOL §3, `CLI_EXECUTOR=inline`): the gateway, no hop. */
@Injectable()
export class InlineExecutor implements ToolExecutor {
  constructor(
    private readonly gateway: ToolGateway,
    private readonly clock: Clock,
  ) {}

  async execute(request: ExecutionRequest, signal: AbortSignal): Promise<ToolAgentOutput> {
    const { credential, toolCallId, runId, locale, timezone } = request;
    return (
      unknownFunction(request, this.clock.now()) ??
      (await this.gateway.invoke(
        {
          credential,
          call: request.arguments,
          toolCallId,
          runId,
          locale,
          timezone,
          door: 'agent',
        },
        signal,
      ))
    );
  }
}
