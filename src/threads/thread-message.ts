import type { JsonObject } from '../common/json.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';

export type MessageRole = 'user' | 'assistant' | 'tool';

/** One function call of an assistant message, as the model made it (credentials replaced). */
export interface AssistantToolCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it. */
  arguments: string;
}

/** `messages.metadata` of an assistant message. */
export interface AssistantMetadata {
  tool_calls?: AssistantToolCall[];
  /** Set when the run ended before the text did. */
  interrupted?: true;
}

/** `messages.metadata` of a tool message: the index and the record (PROTOCOL §9). */
export interface ToolMessageMetadata {
  tool_call_id: string;
  tool_name: string;
  module: string;
  method: string;
  run_id: string;
  stage: 'execution';
  task_id: string | null;
  status: ToolAgentOutput['status'];
  summary: string;
  summary_version: number;
  storage_state: 'inline';
  tool_agent_output: ToolAgentOutput;
}

interface MessageBase {
  id: string;
  threadId: string;
  runId: string;
  /** Grows in a thread; the order of replay. */
  seq: number;
  /** Always text (PROTOCOL §9). */
  content: string;
  createdAt: Date;
}

export interface UserMessage extends MessageBase {
  role: 'user';
  metadata: JsonObject;
}
export interface AssistantMessage extends MessageBase {
  role: 'assistant';
  metadata: AssistantMetadata;
}
export interface ToolMessage extends MessageBase {
  role: 'tool';
  metadata: ToolMessageMetadata;
}

/** A stored message of a thread. */
export type ThreadMessage = UserMessage | AssistantMessage | ToolMessage;

/** A message before the thread gives it its place. */
export type NewThreadMessage =
  Omit<UserMessage, 'seq'> | Omit<AssistantMessage, 'seq'> | Omit<ToolMessage, 'seq'>;
