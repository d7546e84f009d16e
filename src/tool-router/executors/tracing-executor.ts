import { Tracing } from '../../observability/tracing.js';
import { TOOL_NAME, type ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { ExecutionRequest, ToolExecutor } from '../tool-executor.js';

/** Has each call of a model in a span, which goes on at the tool door. */
export class TracingExecutor implements ToolExecutor {
  constructor(
    private readonly executor: ToolExecutor,
    private readonly tracing: Tracing,
  ) {}

  async execute(request: ExecutionRequest, signal: AbortSignal): Promise<ToolAgentOutput> {
    const span = this.tracing.open(`execute_tool ${TOOL_NAME}`, {
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': TOOL_NAME,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': request.toolCallId,
      },
    });
    let code: string | null = 'INTERNAL';
    try {
      const record = await this.tracing.within({ parent: span.context }, () =>
        this.executor.execute({ ...request, traceparent: this.tracing.traceparent }, signal),
      );
      code = record.error?.code ?? null;
      return record;
    } finally {
      span.end(code);
    }
  }
}
