import type { ThreadMessage, ToolMessage, UserMessage } from '../../threads/thread-message.js';
import { modelForm } from '../client-calls/model-form.js';
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
  return groupsOf(messages, resultsOf(messages), parts);
}

/**
 * What a run begins with: the thread's history with the user's message that the run answers in it. A run
 * that goes on in another process finds its own turns behind that message, and of a text that was broken
 * off and said differently only the latter.
 * @param newestFirst the thread's last messages.
 * @param again the message stands earlier, and a client runs it again: it stands last once more.
 * @param runId of the run.
 */
export function runContext(
  newestFirst: readonly ThreadMessage[],
  message: Pick<ThreadMessage, 'id' | 'content'>,
  again: boolean,
  runId: string,
  parts: ReadonlyMap<string, ContentPart[]> = new Map(),
): ContextGroup[] {
  const messages = newestFirst.toReversed().filter((one) => !isBrokenOff(one, runId));
  const results = resultsOf(messages);
  const groups = groupsOf(messages, results, parts);
  if (messages.at(-1)?.id === message.id) return groups;
  const asked = userGroup(message, parts);
  if (again) {
    const own = messages.findIndex((one) => one.role === 'assistant' && one.runId === runId);
    const at = own === -1 ? messages.length : own;
    const before = groupsOf(messages.slice(0, at), results, parts);
    return [...before, asked, ...groupsOf(messages.slice(at), results, parts)];
  }
  return messages.some(({ id }) => id === message.id) ? groups : [asked, ...groups];
}

/** Said by the run itself, which then said it differently. */
function isBrokenOff(message: ThreadMessage, runId: string): boolean {
  return (
    message.role === 'assistant' && message.runId === runId && message.metadata.interrupted === true
  );
}

/** Results by the ids of their calls. */
function resultsOf(messages: readonly ThreadMessage[]): Map<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const id = message.metadata.tool_call_id;
    if (!results.has(id)) results.set(id, message);
  }
  return results;
}

function groupsOf(
  messages: readonly ThreadMessage[],
  results: ReadonlyMap<string, ToolMessage>,
  parts: ReadonlyMap<string, ContentPart[]>,
): ContextGroup[] {
  return messages.flatMap((message) => {
    if (message.role === 'user') return [userGroup(message, parts)];
    return groupOf(message, results, parts) ?? [];
  });
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
    message: { role: 'assistant', content, toolCalls: answered.map(({ call }) => modelForm(call)) },
    ...(images.length > 0 && { images }),
    results: answered.map(({ call, result }) => {
      const short = shortResult(result.metadata);
      // A bare summary says neither that it is one nor how to get more.
      const unread = result.content === result.metadata.summary;
      return { toolCallId: call.id, content: unread ? short : result.content, short };
    }),
  };
}
