import { APIConnectionError, APIError } from 'openai';
import { StewardError } from '../../common/steward-error.js';

const TOO_LONG =
  /context.{0,20}(length|window)|maximum.{0,20}(context|tokens)|too (long|many tokens)/i;

/** The endpoint refused a request because its context is longer than the model's. */
export class ContextTooLongError extends StewardError {
  constructor() {
    super('LIMIT_EXCEEDED', 'The conversation is too long for the model.');
  }
}

/**
 * What the caller of a model is told of a failure. The endpoint's own words stay out of the
 * message: they may quote the conversation or the key.
 */
export function toModelError(error: unknown): StewardError {
  if (error instanceof StewardError) return error;
  if (error instanceof APIConnectionError || !(error instanceof APIError)) {
    const what =
      error instanceof APIConnectionError
        ? 'The model endpoint cannot be reached.'
        : 'The model endpoint did not keep to the streaming protocol.';
    return new StewardError('DEPENDENCY_UNAVAILABLE', what);
  }
  const status: unknown = error.status;
  const said = typeof status === 'number' ? `HTTP ${status}` : 'an error in its stream';
  if (error.code === 'context_length_exceeded' || TOO_LONG.test(error.message)) {
    return new ContextTooLongError();
  }
  if (status === 429) {
    const seconds = Number(error.headers?.get('retry-after') ?? Number.NaN);
    return new StewardError('RATE_LIMITED', `The model endpoint answered ${said}.`, {
      ...(Number.isFinite(seconds) && seconds >= 0 && { retryAfterMs: Math.ceil(seconds * 1000) }),
    });
  }
  const retryable = typeof status !== 'number' || status >= 500 || status === 408;
  return new StewardError('DEPENDENCY_UNAVAILABLE', `The model endpoint answered ${said}.`, {
    retryable,
  });
}
