import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import { OWN_ID } from '../../../common/ids.js';
import { CLIENT_ID_PATTERN } from '../../../threads/thread.js';
import type { ReadToolAnswer } from './run-request.js';

/** Messages behind the last of the assistant that are looked at. */
const MAX_TOOL_MESSAGES = 128;

/**
 * The `tool` messages behind the last message of the assistant, as what may be results of calls that a run
 * left to its client. Those that this server made are none; whether the others are, depends on what waits.
 * What is no such message is passed over: clients resend all that they hold.
 */
export function readToolMessages(messages: JsonValue | undefined): ReadToolAnswer[] {
  if (!Array.isArray(messages)) return [];
  const last = messages.findLastIndex((one) => isJsonObject(one) && one.role === 'assistant');
  return messages
    .slice(last + 1)
    .flatMap((message, index) => readMessage(message, `messages.${last + 1 + index}`) ?? [])
    .slice(-MAX_TOOL_MESSAGES);
}

function readMessage(message: JsonValue, path: string): ReadToolAnswer | null {
  if (!isJsonObject(message) || message.role !== 'tool') return null;
  const { id, toolCallId, error } = message;
  if (typeof toolCallId !== 'string' || toolCallId.length > 128) return null;
  if (typeof id === 'string' && id.startsWith('msg_') && OWN_ID.test(id)) return null;
  return {
    toolCallId,
    content: textOf(message),
    ...(typeof error === 'string' && error !== '' && { error }),
    ...(typeof id === 'string' && CLIENT_ID_PATTERN.test(id) && { messageId: id }),
    path,
  };
}

function textOf({ content }: JsonObject): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return content === undefined ? '' : JSON.stringify(content);
  const texts = content.map((part) =>
    isJsonObject(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : null,
  );
  return texts.every((text) => text !== null) ? texts.join('\n') : JSON.stringify(content);
}
