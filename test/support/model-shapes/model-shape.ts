import type { FinishReason } from '../../../src/agent/models/chat-model.js';
import type { TokenCounts } from '../../../src/events/run-event.js';
import type { ModelReply } from '../model-server.js';

/** How one kind of endpoint writes an answer, and what it means. */
export interface ModelShape {
  name: string;
  /** Where the provider's public documents show it, by page and section, or the public report of it. */
  source: string;
  /** How many calls the answer makes. */
  calls: number;
  /** The answer. @param args arguments of its calls, as many as `calls`. */
  reply: (args: readonly object[]) => ModelReply;
  expected: {
    reasoning: string;
    text: string;
    finish: FinishReason;
    usage: TokenCounts | null;
  };
}

/** The arguments of a call in pieces of `size` characters. */
export function pieces(args: object | undefined, size: number): string[] {
  const text = JSON.stringify(args ?? {});
  return Array.from({ length: Math.ceil(text.length / size) }, (_, place) =>
    text.slice(place * size, (place + 1) * size),
  );
}

/** A chunk that says nothing but what is given. */
export function bare(choice: object, extra: object = {}): object {
  return {
    id: 'c1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, ...choice }],
    ...extra,
  };
}
