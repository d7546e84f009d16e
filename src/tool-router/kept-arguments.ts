import { isNestedDeeper } from '../common/json-depth.js';
import { MAX_INPUT_BYTES, MAX_INPUT_DEPTH, TOO_DEEP } from './input/input-limits.js';
import { omittedInput } from './input/omitted-input.js';
import { parseToolCall } from './parse-tool-call.js';

/** The call itself is a level around its input. */
const MAX_DEPTH = MAX_INPUT_DEPTH + 1;

/**
 * A model's arguments as they may be announced, stored and shown to a model again: the same text, or, where
 * no call may be so deep or so large, the names of the call with a note in the place of its input. What the
 * model made is refused for it; endpoints and clients that read JSON recursively never get it. Pure.
 */
export function keptArguments(text: string): string {
  const bytes = Buffer.byteLength(text);
  const reason = whyNot(text, bytes);
  if (reason === null) return text;
  const { module, method } = parseToolCall(text).args;
  const note = omittedInput(reason, bytes);
  return JSON.stringify(module === '' && method === '' ? note : { module, method, input: note });
}

function whyNot(text: string, bytes: number): string | null {
  if (isNestedDeeper(text, MAX_DEPTH)) return TOO_DEEP;
  // White space and escapes count for nothing in a call that is right.
  if (bytes <= MAX_INPUT_BYTES || !parseToolCall(text).error) return null;
  return `The call has ${bytes} bytes; at most ${MAX_INPUT_BYTES} are accepted.`;
}
