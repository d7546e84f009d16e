import type { ThreadMessage } from '../../threads/thread-message.js';
import { rebuildContext } from '../loop/context-rebuild.js';
import type { ChatMessage } from '../models/chat-model.js';

/** Messages of a thread that are read for a run; rebuildContext takes fewer. */
export const HISTORY_LIMIT = 200;

/**
 * What a model gets to see of a thread: its history, and last the user's message that the run
 * answers. That one stands earlier when a client runs the same message again.
 * @param newestFirst the thread's last messages.
 */
export function runContext(
  newestFirst: readonly ThreadMessage[],
  message: Pick<ThreadMessage, 'id' | 'content'>,
): ChatMessage[] {
  const context = rebuildContext(newestFirst.toReversed());
  if (newestFirst[0]?.id === message.id) return context;
  return [...context, { role: 'user', content: message.content }];
}
