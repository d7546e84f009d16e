import type { JsonObject } from '../../../common/json.js';
import type { ChatChunk, ChatMessage, ChatRequest } from '../../models/chat-model.js';
import { OfflinePlanner } from '../offline-planner.js';

/** Wednesday, 4 March 2026, 10:00 in Shanghai. */
export const NOW = new Date('2026-03-04T02:00:00Z');
export const CONTEXT: ChatRequest['context'] = {
  locale: 'zh-CN',
  timezone: 'Asia/Shanghai',
  now: NOW,
};

/** One turn of the planner, gathered: its text, its call, and the chunks as they came. */
export interface PlannerTurn {
  text: string;
  call: { id: string; module: string; method: string; input: JsonObject } | null;
  chunks: ChatChunk[];
}

/** Lets the planner take one turn. */
export async function takeTurn(
  messages: ChatMessage[],
  context: Partial<ChatRequest['context']> = {},
): Promise<PlannerTurn> {
  const request = { messages, tools: [], context: { ...CONTEXT, ...context } };
  const chunks: ChatChunk[] = [];
  for await (const chunk of new OfflinePlanner().stream(request, new AbortController().signal)) {
    chunks.push(chunk);
  }
  const text = chunks.map((chunk) => (chunk.type === 'text' ? chunk.delta : '')).join('');
  const called = chunks.find((chunk) => chunk.type === 'tool_call');
  const call = called
    ? {
        id: called.call.id,
        ...(JSON.parse(called.call.arguments) as {
          module: string;
          method: string;
          input: JsonObject;
        }),
      }
    : null;
  return { text, call, chunks };
}

/** The turn that follows one user message. */
export function hear(
  content: string,
  context: Partial<ChatRequest['context']> = {},
): Promise<PlannerTurn> {
  return takeTurn([{ role: 'user', content }], context);
}

/** What happened after one message of the user: the calls in order, and the answer. */
export interface Exchange {
  calls: Array<{ method: string; input: JsonObject }>;
  answer: string;
}

/** Answers a call with the projection a model would get (PROTOCOL §7). */
export type Tool = (method: string, input: JsonObject, module: string) => JsonObject;

const MAX_CALLS = 8;

/** Talks with the planner; `tool` answers its calls. Fails when a turn does not come to an end. */
export async function talk(
  orders: readonly string[],
  tool: Tool,
  context: Partial<ChatRequest['context']> = {},
): Promise<Exchange[]> {
  const messages: ChatMessage[] = [];
  const exchanges: Exchange[] = [];
  for (const order of orders) {
    messages.push({ role: 'user', content: order });
    const exchange: Exchange = { calls: [], answer: '' };
    for (;;) {
      const turn = await takeTurn(messages, context);
      if (!turn.call) {
        messages.push({ role: 'assistant', content: turn.text, toolCalls: [] });
        exchange.answer = turn.text;
        break;
      }
      const { id, module, method, input } = turn.call;
      exchange.calls.push({ method, input });
      if (exchange.calls.length > MAX_CALLS) throw new Error(`no end to: ${order}`);
      const text = JSON.stringify({ module, method, input });
      messages.push({
        role: 'assistant',
        content: '',
        toolCalls: [{ id, name: 'project_cli', arguments: text }],
      });
      const content = JSON.stringify(tool(method, input, module));
      messages.push({ role: 'tool', toolCallId: id, content });
    }
    exchanges.push(exchange);
  }
  return exchanges;
}
