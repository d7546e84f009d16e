/** A2UI v0.9 messages (basic catalog); stock A2UI renderers draw them. */
export type UiSchema = Record<string, unknown>[];

/** How a tool call ended; `partial` is a batch of which some items failed. */
export type ToolStatus = 'success' | 'failure' | 'partial';

/** A file that a person sent with a message; `StewardClient.attachment` gives a link to it. */
export interface Attachment {
  id: string;
  name: string;
  /** Found in the content, not in the name: `image/png`. */
  mediaType: string;
  bytes: number;
}

/**
 * One entry of a conversation as a person sees it, the same whether it was folded from a run's
 * events or read from history. Members that do not apply are absent.
 */
export interface ChatItem {
  id: string;
  role: 'user' | 'assistant' | 'reasoning' | 'tool';
  /** Text; of a tool its result as JSON. */
  content: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  runId: string;
  attachments?: Attachment[];
  toolCallId?: string;
  toolName?: string;
  module?: string;
  method?: string;
  status?: ToolStatus;
  /** One line for people. */
  summary?: string;
  ui_schema?: UiSchema;
  /** The text was broken off: by a cancel, an error, or because the model was asked once more. */
  interrupted?: true;
  /** The stored result could not be read: `content` is the summary, and there is no card. */
  degraded?: true;
}
