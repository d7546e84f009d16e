import { AgentModule } from '../../src/agent/agent.module.js';
import { CHAT_MODEL } from '../../src/agent/models/chat-model.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import type { JsonValue } from '../../src/common/json.js';
import { EventLog } from '../../src/events/event-log.js';
import type { RunEvent } from '../../src/events/run-event.js';
import { HistoryModule } from '../../src/history/history.module.js';
import { TOOL_NAME, type ToolAgentOutput } from '../../src/tool-output/tool-agent-output.js';
import {
  TOOL_EXECUTOR,
  type ExecutionRequest,
  type ToolExecutor,
} from '../../src/tool-router/tool-executor.js';
import { ToolRouterModule } from '../../src/tool-router/tool-router.module.js';
import { ApiClient } from './api-client.js';
import { ScriptedModel } from './scripted-model.js';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.js';

export { ScriptedModel, callsTool, hangs, says, type ScriptedTurn } from './scripted-model.js';

/** An executor that answers as a test says; by default every call succeeds. */
export class ScriptedExecutor implements ToolExecutor {
  readonly requests: ExecutionRequest[] = [];
  answer: (request: ExecutionRequest, signal: AbortSignal) => Promise<ToolAgentOutput> = (
    request,
  ) => Promise.resolve(succeeds(request, { done: true }));

  execute(request: ExecutionRequest, signal: AbortSignal): Promise<ToolAgentOutput> {
    this.requests.push(request);
    return this.answer(request, signal);
  }
}

/**
 * A call that gives nothing until it is ended. A process that loses the run of a call waits for that for
 * two seconds, and is not to tell it to stop: whoever goes on with the run may want what it comes to.
 */
export function heldCall(): { answer: Promise<never>; end(): void } {
  let end = (): void => undefined;
  const answer = new Promise<never>((_resolve, reject) => {
    end = () => reject(new Error('The call gives nothing.'));
  });
  // Nobody may be waiting for it any more.
  answer.catch(() => undefined);
  return { answer, end: () => end() };
}

/** The record of a call that went well. */
export function succeeds(request: ExecutionRequest, data: JsonValue): ToolAgentOutput {
  const args = { module: 'calendar', method: 'read', input: {} };
  return {
    tool_name: TOOL_NAME,
    tool_call_id: request.toolCallId,
    tool_call_args: args,
    status: 'success',
    result: { module: args.module, method: args.method, data },
    error: null,
    ui_hints: null,
    repairs: [],
    summary: 'done',
    summary_version: 1,
    started_at: new Date(0).toISOString(),
    finished_at: new Date(0).toISOString(),
  };
}

export interface AgentApp extends TestApp {
  model: ScriptedModel;
  executor: ScriptedExecutor;
  client(): ApiClient;
  /** Every event of a thread, as the log has it. */
  events(threadId: string): Promise<(RunEvent & { runId: string })[]>;
}

export type AgentAppOptions = Pick<TestAppOptions, 'override' | 'replicaOf'> & {
  /** Modules with methods, beside the runtime's own. */
  modules?: TestAppOptions['modules'];
};

/** The agent runtime over HTTP, with a model and an executor that do as they are told. */
export async function startAgentApp(
  env: Record<string, string> = {},
  { modules = [], override, replicaOf }: AgentAppOptions = {},
): Promise<AgentApp> {
  const model = new ScriptedModel();
  const executor = new ScriptedExecutor();
  const test = await startTestApp({
    modules: [AuthModule, ToolRouterModule, AgentModule, HistoryModule, ...modules],
    ...(replicaOf && { replicaOf }),
    env: {
      RATE_LIMIT_PER_MINUTE: '100000',
      REFUSED_CREDENTIALS_PER_MINUTE: '100000',
      TOOL_RATE_LIMIT_PER_MINUTE: '100000',
      SIGN_IN_ATTEMPTS_PER_MINUTE: '1000',
      SHUTDOWN_GRACE_MS: '0',
      // No sweep comes by itself in the middle of a test.
      RUN_LEASE_SECONDS: '300',
      // A turn is scripted once: one that fails is not asked for again.
      MODEL_MAX_ATTEMPTS: '1',
      ...env,
    },
    override: (builder) => {
      const scripted = builder
        .overrideProvider(CHAT_MODEL)
        .useValue(model)
        .overrideProvider(TOOL_EXECUTOR)
        .useValue(executor);
      return override?.(scripted) ?? scripted;
    },
  });
  return {
    ...test,
    model,
    executor,
    client: () => new ApiClient(test.url),
    events: async (threadId) => {
      const logged = await test.app.get(EventLog, { strict: false }).read(threadId, 0, 10_000);
      return logged.map(({ event, runId }) => ({ ...event, runId }));
    },
  };
}
