import { AgentModule } from '../../src/agent/agent.module.js';
import {
  CHAT_MODEL,
  type ChatChunk,
  type ChatModel,
  type ChatRequest,
} from '../../src/agent/models/chat-model.js';
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
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/** A turn as a test writes it: chunks, or a function of the request and the signal. */
export type ScriptedTurn =
  (ChatChunk | Error)[] | ((request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatChunk>);

/** A model that plays turns, first come first served. */
export class ScriptedModel implements ChatModel {
  readonly name = 'scripted';
  readonly requests: ChatRequest[] = [];
  turns: ScriptedTurn[] = [];

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk, void, void> {
    this.requests.push(request);
    const turn = this.turns.shift() ?? [new Error('no turn is scripted')];
    if (typeof turn === 'function') {
      yield* turn(request, signal);
      return;
    }
    for (const chunk of turn) {
      if (chunk instanceof Error) throw chunk;
      yield chunk;
    }
  }
}

/** A whole turn in text. */
export function says(...deltas: string[]): ChatChunk[] {
  return [
    ...deltas.map((delta): ChatChunk => ({ type: 'text', delta })),
    { type: 'finish', reason: 'stop', usage: { inputTokens: 10, outputTokens: 2 } },
  ];
}

/** A turn with calls; a string stands for arguments as they are. */
export function callsTool(...calls: (object | string)[]): ChatChunk[] {
  return [
    ...calls.map((call, index): ChatChunk => {
      const args = typeof call === 'string' ? call : JSON.stringify(call);
      return {
        type: 'tool_call',
        call: { id: `call_${index}`, name: TOOL_NAME, arguments: args },
      };
    }),
    { type: 'finish', reason: 'tool_calls', usage: { inputTokens: 10, outputTokens: 2 } },
  ];
}

/** A turn that never comes; the signal is not listened to. */
export async function* hangs(): AsyncGenerator<ChatChunk, void, void> {
  await new Promise(() => undefined);
  yield { type: 'finish', reason: 'stop', usage: null };
}

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
