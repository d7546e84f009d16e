import type { ChatMessage } from '../../models/chat-model.js';
import { readCall, readStepResult, type ToolStep } from './tool-step.js';

/** What a user asked, and what was done about it. */
export interface Turn {
  order: string;
  steps: ToolStep[];
}

/** The conversation as orders and their steps; `current` is the last user message's. */
export interface Conversation {
  current: Turn | null;
  /** Oldest first. */
  previous: Turn[];
}

/** Turns before this many are not looked at. */
const MEMORY_TURNS = 20;

/** Splits messages into turns. Only user messages become orders, whatever other roles say. */
export function readConversation(messages: readonly ChatMessage[]): Conversation {
  const turns: Turn[] = [];
  let calls = new Map<string, Omit<ToolStep, 'result'>>();
  for (const message of messages) {
    if (message.role === 'user') {
      if (message.from === 'tool') continue;
      turns.push({ order: message.content, steps: [] });
      calls = new Map();
    } else if (message.role === 'assistant') {
      for (const call of message.toolCalls) calls.set(call.id, readCall(call.arguments));
    } else if (message.role === 'tool') {
      const call = calls.get(message.toolCallId);
      if (call) turns.at(-1)?.steps.push({ ...call, result: readStepResult(message.content) });
    }
  }
  const current = turns.pop() ?? null;
  return { current, previous: turns.slice(-MEMORY_TURNS) };
}
