import { HttpAgent as HttpAgentV1 } from '@ag-ui/client';
import { HttpAgent as HttpAgentV0 } from 'ag-ui-client-v0';
import type { ClientMessage, ResumeEntry } from './stock-clients.js';

/** What a stock client made of one run. */
export interface AgentRun {
  /** Types of the events that passed its own checks, in order. */
  types: string[];
  /** RUN_ERROR, where there was one. */
  runError: { message: string; code?: string } | null;
  /** Calls that 1.0 tells its application to answer; 0.0.59 leaves it to that to find them. */
  pendingToolCallIds: string[] | null;
  /** What the client took for a failure of the request or the stream. */
  failure: Error | null;
}

export interface AgentRunOptions {
  runId: string;
  resume?: ResumeEntry[];
  /** Tools of the front end. */
  tools?: ClientTool[];
  /** Is told each event; aborting is `abort` of the agent. */
  onEvent?: (type: string) => void;
}

/** A tool as front ends register it. */
export interface ClientTool {
  name: string;
  description: string;
  parameters: object;
}

interface AgentConfig {
  url: string;
  headers: Record<string, string>;
  threadId: string;
}

type Listener = {
  onEvent: (params: { event: { type: string } }) => void;
  onRunErrorEvent: (params: { event: { message: string; code?: string | undefined } }) => void;
  onRunFinishedEvent: (params: object) => void;
  onRunFailed: (params: { error: Error }) => void;
};

/** A stock HttpAgent as a front end holds it: one for a conversation, with all that it keeps. */
export interface StockAgent {
  messages(): ClientMessage[];
  state(): unknown;
  pending(): { id: string; toolCallId?: string }[];
  add(message: ClientMessage): void;
  abort(): void;
  run(options: AgentRunOptions): Promise<AgentRun>;
}

export const STOCK_AGENTS: Record<string, (config: AgentConfig) => StockAgent> = {
  '1.0.0': (config) => {
    const agent = new HttpAgentV1(config);
    return stockAgent(
      agent,
      (message) => agent.addMessage(message as Parameters<typeof agent.addMessage>[0]),
      (parameters, listener) => agent.runAgent(parameters, listener),
    );
  },
  '0.0.59': (config) => {
    const agent = new HttpAgentV0(config);
    return stockAgent(
      agent,
      (message) => agent.addMessage(message as Parameters<typeof agent.addMessage>[0]),
      (parameters, listener) => agent.runAgent(parameters, listener),
    );
  },
};

function stockAgent(
  agent: {
    messages: unknown;
    state: unknown;
    pendingInterrupts: { id: string; toolCallId?: string }[];
    abortRun: () => void;
  },
  add: (message: ClientMessage) => void,
  run: (
    parameters: { runId: string; resume?: ResumeEntry[]; tools?: ClientTool[] },
    listener: Listener,
  ) => Promise<unknown>,
): StockAgent {
  return {
    messages: () => JSON.parse(JSON.stringify(agent.messages)) as ClientMessage[],
    state: () => JSON.parse(JSON.stringify(agent.state ?? null)) as unknown,
    pending: () => [...agent.pendingInterrupts],
    add,
    abort: () => agent.abortRun(),
    run: async ({ runId, resume, tools, onEvent }) => {
      const seen: AgentRun = {
        types: [],
        runError: null,
        pendingToolCallIds: null,
        failure: null,
      };
      const listener: Listener = {
        onEvent: ({ event: { type } }) => {
          seen.types.push(type);
          onEvent?.(type);
        },
        onRunErrorEvent: ({ event: { message, code } }) => {
          seen.runError = { message, ...(code === undefined ? {} : { code }) };
        },
        onRunFinishedEvent: (params) => {
          const { pendingToolCallIds: ids } = params as { pendingToolCallIds?: string[] };
          seen.pendingToolCallIds = ids ?? null;
        },
        onRunFailed: ({ error }) => {
          seen.failure = error;
        },
      };
      try {
        await run({ runId, ...(resume && { resume }), ...(tools && { tools }) }, listener);
      } catch (error) {
        seen.failure ??= error instanceof Error ? error : new Error(String(error));
      }
      return seen;
    },
  };
}
