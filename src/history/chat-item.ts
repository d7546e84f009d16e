import type { UiSchema } from '../events/run-event.js';
import type { Attachment } from '../threads/thread-message.js';
import type { ToolStatus } from '../tool-output/tool-agent-output.js';

/**
 * One entry of a conversation as a person sees it (PROTOCOL §11): the same whether it was folded
 * from a run's events or read from history. Members that do not apply are absent.
 */
export interface ChatItem {
  id: string;
  role: 'user' | 'assistant' | 'reasoning' | 'tool';
  content: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  runId: string;
  attachments?: Attachment[];
  /** The text was broken off: by a cancel, an error, or because the model was asked once more. */
  interrupted?: true;
  toolCallId?: string;
  toolName?: string;
  module?: string;
  method?: string;
  status?: ToolStatus;
  summary?: string;
  ui_schema?: UiSchema;
  /** The result could not be read: `content` is the summary, there is no card (PROTOCOL §9). */
  degraded?: true;
}
