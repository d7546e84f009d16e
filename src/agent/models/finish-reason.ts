import { StewardError } from '../../common/steward-error.js';
import type { FinishReason } from './chat-model.js';

/**
 * Maps the endpoints' words for the end of a turn; what is not known is an ordinary end.
 *
 * `sensitive`, `network_error` and `model_context_window_exceeded` are Zhipu's (API reference, "Chat
 * Completion", finish_reason), `insufficient_system_resource` is DeepSeek's ("Create Chat
 * Completion"), `abort` and `error` are vLLM's, `model_length` and `max_tokens` those of gateways.
 * Ollama and several gateways say `stop` after calls; `function_call` is OpenAI's older form.
 *
 * @param hasCalls whether the turn has whole calls.
 * @throws StewardError DEPENDENCY_UNAVAILABLE when the endpoint says that it gave up.
 */
export function toFinishReason(reason: string | null, hasCalls: boolean): FinishReason {
  switch (reason) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
    case 'model_context_window_exceeded':
      return 'length';
    case 'content_filter':
    case 'sensitive':
      return 'content_filter';
    case 'abort':
    case 'error':
    case 'network_error':
    case 'insufficient_system_resource':
      throw new StewardError('DEPENDENCY_UNAVAILABLE', 'The model endpoint gave up on its answer.');
    default:
      return hasCalls ? 'tool_calls' : 'stop';
  }
}
