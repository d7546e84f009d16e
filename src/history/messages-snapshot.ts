import { toolMembers, type WireEvent } from '../events/encode-agui.js';
import type { PendingCall } from '../events/run-event.js';
import type { AguiInterrupt } from '../interrupts/agui-interrupt.js';
import type { ThreadMessage } from '../threads/thread-message.js';
import { toResultFacts } from '../tool-output/result-facts.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';
import { toolMessageText } from '../tool-output/tool-message.js';

/**
 * A conversation as AG-UI's MESSAGES_SNAPSHOT (PROTOCOL §12): the messages that a stock client holds
 * after the streams, with their ids, in their order. What AG-UI has no member for stands in `metadata`,
 * as in the events.
 * @param messages oldest first; what comes before the first user message is left out, or, where a long
 *   run leaves room for none, what comes before the first of the assistant.
 * @param waiting what the thread waits for; the calls beside such a call have no result either.
 * @param records those of tool messages, by the message's id; null where one cannot be read.
 */
export function messagesSnapshot(
  messages: readonly ThreadMessage[],
  records: ReadonlyMap<string, ToolAgentOutput | null>,
  waiting: { interrupts: readonly AguiInterrupt[]; pendingCalls: readonly PendingCall[] },
  at: Date,
): WireEvent {
  const beginsWith = messages.some(({ role }) => role === 'user') ? 'user' : 'assistant';
  const first = messages.findIndex(({ role }) => role === beginsWith);
  const shown = first === -1 ? [] : messages.slice(first);
  const answered = new Set(
    shown.flatMap((message) => (message.role === 'tool' ? [message.metadata.tool_call_id] : [])),
  );
  const { interrupts, pendingCalls } = waiting;
  const pending = [...interrupts, ...pendingCalls];
  const asking = new Set(pending.map(({ toolCallId }) => toolCallId));
  return {
    type: 'MESSAGES_SNAPSHOT',
    timestamp: at.getTime(),
    ...(pending.length > 0 && {
      metadata: {
        ...(interrupts.length > 0 && { interrupts }),
        ...(pendingCalls.length > 0 && { pendingCalls }),
      },
    }),
    messages: shown.flatMap((message) => {
      if (message.role === 'tool') return [toolMessage(message, records.get(message.id) ?? null)];
      if (message.role === 'reasoning') return [reasoningMessage(message)];
      return message.role === 'user'
        ? [userMessage(message)]
        : assistantMessage(message, answered, asking);
    }),
  };
}

function userMessage(message: Extract<ThreadMessage, { role: 'user' }>): object {
  const { id, role, content, metadata } = message;
  return { id, role, content, ...(metadata.attachments && { metadata }) };
}

function reasoningMessage({ id, role, content }: Extract<ThreadMessage, { role: 'reasoning' }>) {
  return { id, role, content };
}

/** A call whose result is missing would wait in the client for ever, unless it does wait. */
function assistantMessage(
  { id, role, content, metadata }: Extract<ThreadMessage, { role: 'assistant' }>,
  answered: ReadonlySet<string>,
  asking: ReadonlySet<string>,
): object[] {
  const calls = metadata.tool_calls ?? [];
  const waits = calls.some((call) => asking.has(call.id));
  const toolCalls = calls
    .filter((call) => waits || answered.has(call.id))
    .map(({ id: callId, name, arguments: args }) => ({
      id: callId,
      type: 'function',
      function: { name, arguments: args },
    }));
  if (content === '' && toolCalls.length === 0) return [];
  const { interrupted } = metadata;
  return [
    {
      id,
      role,
      ...(content !== '' && { content }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(interrupted && { metadata: { interrupted } }),
    },
  ];
}

function toolMessage(
  message: Extract<ThreadMessage, { role: 'tool' }>,
  record: ToolAgentOutput | null,
): object {
  const { id, role, metadata } = message;
  const { module, method, status, summary, tool_call_id: toolCallId } = metadata;
  return {
    id,
    role,
    toolCallId,
    content: toolMessageText(message, record),
    metadata: record
      ? toolMembers(toResultFacts(record))
      : { toolName: metadata.tool_name, module, method, status, summary, degraded: true },
  };
}
