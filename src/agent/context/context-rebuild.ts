import type { ThreadMessage, ToolMessage, UserMessage } from '../../threads/thread-message.js';
import type { ContentPart } from '../models/chat-model.js';
import type { ContextGroup } from './context-group.js';
import { shortResult } from './short-result.js';

/** Messages of a thread that are read for a run. */
export const HISTORY_LIMIT = 200;

/**
 * A thread's stored messages as what a model can be shown of them: every assistant call with its
 * result right behind it, in order, and neither without the other. What it thought is not among them.
 * @param messages oldest first; the content of a tool message is its projection, or its summary
 *   where the record cannot be read.
 * @param parts what user messages have besides their text, and the pictures in tool results, by the
 *   message's id.
 */
export function rebuildContext(
  messages: readonly ThreadMessage[],
  parts: ReadonlyMap<string, ContentPart[]> = new Map(),
): ContextGroup[] {
  const results = new Map<string, ToolMessage>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const id = message.metadata.tool_call_id;
    if (!results.has(id)) results.set(id, message);
  }
  return messages.flatMap((message) => {
    if (message.role === 'user') return [userGroup(message, parts)];
    return groupOf(message, results, parts) ?? [];
  });
}

/**
 * What a run begins with: the thread's history with the user's message that the run answers in it.
 * @param newestFirst the thread's last messages.
 * @param again the message stands earlier, and a client runs it again: it stands last once more.
 */
export function runContext(
  newestFirst: readonly ThreadMessage[],
  message: Pick<ThreadMessage, 'id' | 'content'>,
  again: boolean,
  parts?: ReadonlyMap<string, ContentPart[]>,
): ContextGroup[] {
  const groups = rebuildContext(newestFirst.toReversed(), parts);
  if (newestFirst[0]?.id === message.id) return groups;
  const asked = userGroup(message, parts);
  if (again) return [...groups, asked];
  return newestFirst.some(({ id }) => id === message.id) ? groups : [asked, ...groups];
}

function userGroup(
  { id, content }: Pick<ThreadMessage, 'id' | 'content'>,
  parts?: ReadonlyMap<string, ContentPart[]>,
): ContextGroup {
  const found = parts?.get(id);
  return { message: { role: 'user', content, ...(found && { parts: found }) }, results: [] };
}

function groupOf(
  message: Exclude<ThreadMessage, UserMessage>,
  results: ReadonlyMap<string, ToolMessage>,
  parts: ReadonlyMap<string, ContentPart[]>,
): ContextGroup | null {
  const { content } = message;
  if (message.role !== 'assistant') return null;
  const answered = (message.metadata.tool_calls ?? []).flatMap((call) => {
    const result = results.get(call.id);
    return result ? [{ call, result }] : [];
  });
  if (content === '' && answered.length === 0) return null;
  const images = answered.flatMap(({ result }) => parts.get(result.id) ?? []);
  return {
    message: { role: 'assistant', content, toolCalls: answered.map(({ call }) => call) },
    ...(images.length > 0 && { images }),
    results: answered.map(({ call, result }) => {
      const short = shortResult(result.metadata);
      // A bare summary says neither that it is one nor how to get more.
      const unread = result.content === result.metadata.summary;
      return { toolCallId: call.id, content: unread ? short : result.content, short };
    }),
  };
}
