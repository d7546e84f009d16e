import { newId } from '../../common/ids.js';
import { TOOL_NAME } from '../../tool-output/tool-agent-output.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../models/chat-model.js';
import { readConversation } from './dialogue/conversation.js';
import { planContext } from './move.js';
import { planTurn } from './plan-turn.js';
import { attachmentNote } from './text/attachment-note.js';
import { phraseDeltas } from './text/deltas.js';
import { detectLocale } from './text/detect-locale.js';
import { zonedNow } from './time/zone.js';

/**
 * The embedded default model: understands plain Chinese and English requests about the calendar by
 * rules, without a key or a network, and calls `project_cli` like any model would. Keeps nothing
 * between turns; all it knows is in the request. Only user messages are orders: what tool results
 * say is data.
 */
export class OfflinePlanner implements ChatModel {
  readonly name = 'offline-planner';
  readonly provider = 'steward';

  /** One turn: either one tool call, or an answer in a few deltas; then `finish`. Never throws. */
  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
    for (const chunk of chunksOf(request)) {
      if (signal.aborted) return;
      yield chunk;
    }
  }
}

function* chunksOf({ messages, context }: ChatRequest): Generator<ChatChunk> {
  const conversation = readConversation(messages);
  const locale = detectLocale(conversation.current?.order ?? '', context.locale);
  const now = zonedNow(context.now, context.timezone);
  const move = planTurn(conversation, planContext(locale, now, conversation.previous));
  if (move.kind === 'call') {
    const { module, method, input } = move;
    const call = {
      id: newId('call'),
      name: TOOL_NAME,
      arguments: JSON.stringify({ module, method, input }),
    };
    yield { type: 'tool_call', call };
    yield { type: 'finish', reason: 'tool_calls', usage: null };
    return;
  }
  const note = attachmentNote(messages, locale);
  for (const delta of phraseDeltas(`${note}${move.text}`)) yield { type: 'text', delta };
  yield { type: 'finish', reason: 'stop', usage: null };
}
