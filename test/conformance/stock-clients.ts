import { HttpAgent as HttpAgentV1 } from '@ag-ui/client';
import { HttpAgent as HttpAgentV0 } from 'ag-ui-client-v0';

/** A conversation as a stock client holds it. */
export interface ClientMessage {
  id: string;
  role: string;
  content?: unknown;
  toolCalls?: { id: string; function: { name: string; arguments: string } }[];
  toolCallId?: string;
  metadata?: Record<string, unknown>;
}

export interface ClientRun {
  /** Types of the events that passed the client's own checks, in order. */
  types: string[];
  /** RUN_ERROR as the client was told, where there was one. */
  runError: { message: string; code?: string } | null;
  /** What the client itself took for a failure: of the stream, not of the run. */
  failure: Error | null;
  messages: ClientMessage[];
  /** What the client has understood that the thread waits for. */
  pending: { id: string; toolCallId?: string }[];
}

/** The answer to one interrupt. */
export interface ResumeEntry {
  interruptId: string;
  status: 'resolved' | 'cancelled';
  payload?: unknown;
}

export interface RunRequest {
  url: string;
  headers?: Record<string, string>;
  threadId: string;
  runId: string;
  /** The conversation so far, as the client holds it; the last one is new, unless it resumes. */
  messages: ClientMessage[];
  resume?: ResumeEntry[];
}

interface Seen {
  types: string[];
  runError: ClientRun['runError'];
  failure: Error | null;
}

const listener = (seen: Seen) => ({
  onEvent: ({ event }: { event: { type: string } }): void => {
    seen.types.push(event.type);
  },
  onRunErrorEvent: ({ event }: { event: { message: string; code?: string } }): void => {
    const { message, code } = event;
    seen.runError = { message, ...(code === undefined ? {} : { code }) };
  },
  onRunFailed: ({ error }: { error: Error }): void => {
    seen.failure = error;
  },
});

async function drive(
  run: (seen: Seen) => Promise<unknown>,
  agent: { messages: unknown; pendingInterrupts: ClientRun['pending'] },
): Promise<ClientRun> {
  const seen: Seen = { types: [], runError: null, failure: null };
  try {
    await run(seen);
  } catch (error) {
    seen.failure ??= error instanceof Error ? error : new Error(String(error));
  }
  const messages = JSON.parse(JSON.stringify(agent.messages)) as ClientMessage[];
  return { ...seen, messages, pending: [...agent.pendingInterrupts] };
}

/** The stock clients, used as their documentation says and no other way. */
export const STOCK_CLIENTS: Record<string, (request: RunRequest) => Promise<ClientRun>> = {
  '1.0.0': async ({ messages, runId, resume, ...config }) => {
    const agent = new HttpAgentV1(config);
    agent.setMessages(messages as Parameters<typeof agent.setMessages>[0]);
    return drive(
      (seen) => agent.runAgent({ runId, ...(resume && { resume }) }, listener(seen)),
      agent,
    );
  },
  '0.0.59': async ({ messages, runId, resume, ...config }) => {
    const agent = new HttpAgentV0(config);
    agent.setMessages(messages as Parameters<typeof agent.setMessages>[0]);
    return drive(
      (seen) => agent.runAgent({ runId, ...(resume && { resume }) }, listener(seen)),
      agent,
    );
  },
};
