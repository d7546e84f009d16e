import type { Locale } from '../common/locale.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';

/** One function call of a model, with the run's credential, on its way to the router. */
export interface ExecutionRequest {
  toolCallId: string;
  /** Function name as the model wrote it; anything but `project_cli` fails. */
  name: string;
  /** JSON text as the model wrote it. */
  arguments: string;
  /** Controlled credential of the run; goes into the child's environment and nowhere else. */
  credential: string;
  /** Whose run it is, as the credential says too. */
  userId: string;
  runId: string;
  threadId: string;
  locale: Locale;
  timezone: string;
  /** W3C Trace Context of the call, where it is traced. */
  traceparent?: string | undefined;
}

/**
 * Carries a model's call to the router (PROTOCOL §3) and gives back its record. Never throws for
 * what a model did wrong, for a denial, a timeout or a dead child: those are failure records.
 */
export interface ToolExecutor {
  execute(request: ExecutionRequest, signal: AbortSignal): Promise<ToolAgentOutput>;
}

/** Injection token of ToolExecutor; CLI_EXECUTOR picks the implementation. */
export const TOOL_EXECUTOR = Symbol('TOOL_EXECUTOR');
