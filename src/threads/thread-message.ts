import type { RecordReference } from '../tool-output/storage/record-object.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';

/** AG-UI's; `reasoning` is what a model thought, which people see and no model is shown again. */
export type MessageRole = 'user' | 'assistant' | 'reasoning' | 'tool';

/** One function call of an assistant message, as the model made it (credentials replaced). */
export interface AssistantToolCall {
  id: string;
  name: string;
  /** JSON text as the model wrote it. */
  arguments: string;
  /**
   * Set for a call of a tool of the run's client: `name` is the tool's and `arguments` its checked input,
   * as that client has to see them. The model called it as a method of its one function.
   */
  client?: true;
}

/** A file that a person sent with a message, as clients see it. */
export interface Attachment {
  id: string;
  /** Cleaned: no path, no control or direction characters. */
  name: string;
  /** Found in the content, not in the name: `image/png`. */
  mediaType: string;
  bytes: number;
}

/** `messages.metadata` of a user message. */
export interface UserMetadata {
  /** Absent where there are none. */
  attachments?: Attachment[];
}

/** `messages.metadata` of an assistant message. */
export interface AssistantMetadata {
  tool_calls?: AssistantToolCall[];
  /** Set when the text was broken off: its run ended, or its turn was made anew and said something else. */
  interrupted?: true;
}

/** What `messages.metadata` of a tool message says in every tier (PROTOCOL §9). */
export interface ToolMessageIndex {
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
}

/**
 * `messages.metadata` of a tool message: the index, and the record or where it lies (PROTOCOL §9).
 * In the inline tier `content` is the JSON projection, otherwise the summary. `write_failed` is a
 * record that belongs into the object store and waits for the sweeper, `lost` one that was found
 * missing or damaged there.
 */
export type ToolMessageMetadata = ToolMessageIndex &
  (
    | { storage_state: 'inline' | 'write_failed'; tool_agent_output: ToolAgentOutput }
    | ({ storage_state: 'stored' | 'lost' } & RecordReference)
  );

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
  metadata: UserMetadata;
}
export interface AssistantMessage extends MessageBase {
  role: 'assistant';
  metadata: AssistantMetadata;
}
export interface ReasoningMessage extends MessageBase {
  role: 'reasoning';
  metadata: Record<string, never>;
}
export interface ToolMessage extends MessageBase {
  role: 'tool';
  metadata: ToolMessageMetadata;
}

/** A stored message of a thread. */
export type ThreadMessage = UserMessage | AssistantMessage | ReasoningMessage | ToolMessage;

/** A message before the thread gives it its place. */
export type NewThreadMessage =
  | Omit<UserMessage, 'seq'>
  | Omit<AssistantMessage, 'seq'>
  | Omit<ReasoningMessage, 'seq'>
  | Omit<ToolMessage, 'seq'>;
