import { isJsonObject } from '../../common/json.js';
import { addCounts } from './token-counts.js';
import type { TokenCounts } from '../../events/run-event.js';

/**
 * Reads a `usage` object of an OpenAI-compatible endpoint. Null where it counts nothing: several
 * endpoints send `null` or zeros with every chunk until the last.
 *
 * Cached input stands in `prompt_tokens_details.cached_tokens` (OpenAI, Zhipu, DashScope, vLLM), in
 * `prompt_cache_hit_tokens` (DeepSeek, "Context Caching") or in `cached_tokens`. A breakdown that
 * is larger than its whole was counted beside it, and is added, as AG-UI 1.0 counts.
 */
export function readUsage(value: unknown): TokenCounts | null {
  if (!isJsonObject(value)) return null;
  const input = readCount(value.prompt_tokens) ?? 0;
  const output = readCount(value.completion_tokens) ?? 0;
  if (input + output === 0) return null;
  const inputDetails = isJsonObject(value.prompt_tokens_details) ? value.prompt_tokens_details : {};
  const outputDetails = isJsonObject(value.completion_tokens_details)
    ? value.completion_tokens_details
    : {};
  const cached = [
    inputDetails.cached_tokens,
    value.prompt_cache_hit_tokens,
    value.cached_tokens,
  ].find((candidate) => readCount(candidate) !== null);
  const cachedInputTokens = readCount(cached);
  const reasoningTokens = readCount(outputDetails.reasoning_tokens);
  return {
    inputTokens: whole(input, cachedInputTokens),
    outputTokens: whole(output, reasoningTokens),
    ...(cachedInputTokens !== null && { cachedInputTokens }),
    ...(reasoningTokens !== null && { reasoningTokens }),
  };
}

function whole(total: number, part: number | null): number {
  return part !== null && part > total ? addCounts(total, part) : total;
}

function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
