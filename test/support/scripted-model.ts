import { setTimeout as delay } from 'node:timers/promises';
import type { ChatChunk, ChatModel, ChatRequest } from '../../src/agent/models/chat-model.js';
import { TOOL_NAME } from '../../src/tool-output/tool-agent-output.js';

/** A turn as a test writes it: chunks, or a function of the request and the signal. */
export type ScriptedTurn =
  (ChatChunk | Error)[] | ((request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatChunk>);

/** A model that plays turns, first come first served. */
export class ScriptedModel implements ChatModel {
  readonly provider = 'test';
  readonly requests: ChatRequest[] = [];
  turns: ScriptedTurn[] = [];

  constructor(readonly name = 'scripted') {}

  /**
   * Resolves once all but `left` of the turns were begun. The event of a stage comes a moment before the
   * model is asked: a run that is stopped in between takes no turn, and the next one gets it.
   */
  async untilBegun(left = 0): Promise<void> {
    while (this.turns.length > left) await delay(5);
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk, void, void> {
    this.requests.push(request);
    const turn = this.turns.shift() ?? [new Error('no turn is scripted')];
    if (typeof turn === 'function') {
      yield* turn(request, signal);
      return;
    }
    for (const chunk of turn) {
      if (chunk instanceof Error) throw chunk;
      yield chunk;
    }
  }
}

/** A whole turn in text. */
export function says(...deltas: string[]): ChatChunk[] {
  return [
    ...deltas.map((delta): ChatChunk => ({ type: 'text', delta })),
    { type: 'finish', reason: 'stop', usage: { inputTokens: 10, outputTokens: 2 } },
  ];
}

/** A turn with calls; a string stands for arguments as they are. */
export function callsTool(...calls: (object | string)[]): ChatChunk[] {
  return [
    ...calls.map((call, index): ChatChunk => {
      const args = typeof call === 'string' ? call : JSON.stringify(call);
      return {
        type: 'tool_call',
        call: { id: `call_${index}`, name: TOOL_NAME, arguments: args },
      };
    }),
    { type: 'finish', reason: 'tool_calls', usage: { inputTokens: 10, outputTokens: 2 } },
  ];
}

/** A turn that never comes; the signal is not listened to. */
export async function* hangs(): AsyncGenerator<ChatChunk, void, void> {
  await new Promise(() => undefined);
  yield { type: 'finish', reason: 'stop', usage: null };
}
