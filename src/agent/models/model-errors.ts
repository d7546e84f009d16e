import { APIConnectionError, APIError } from 'openai';
import { StewardError } from '../../common/steward-error.js';
import { isJsonObject, type JsonObject } from '../../common/json.js';
import { readRetryAfter } from './retry-after.js';

const TOO_LONG =
  /context.{0,20}(length|window)|maximum.{0,20}(context|tokens)|too (long|many tokens)|range of input length|prompt 超长/i;
/** Zhipu's 1261 stands beside OpenAI's own code ("Error Codes"). */
const TOO_LONG_CODES = new Set(['context_length_exceeded', '1261']);

/** Said in a stream, where there is no status: OpenAI, Zhipu ("Error Codes" 1302 to 1305, 1312). */
const BUSY_CODES = /^(429|rate_limit\w*|limit_(requests|burst_rate)|Throttling.*|130[235]|1312)$/;

/**
 * An account without means, which several endpoints answer 429 to: waiting does not help (OpenAI,
 * "Error codes"; Zhipu, "Error Codes" 1112, 1113, 1121, 1304 and 1308 to 1311; DashScope, "Arrearage").
 */
const NO_MEANS_CODES =
  /^(insufficient_quota|billing_\w+|Arrearage|111[23]|1121|1304|1308|1309|131[01])$/;

/** The endpoint's filter refused what it was sent: Zhipu 1301, DashScope, Azure OpenAI. */
const WITHHELD_CODES = /^(1301|data_inspection_failed|DataInspectionFailed|content_filter)$/;

/** The endpoint refused a request because its context is longer than the model's. */
export class ContextTooLongError extends StewardError {
  constructor() {
    super('LIMIT_EXCEEDED', 'The conversation is too long for the model.');
  }
}

/** Asked again as 5xx is: too slow, and what gateways say while a model loads or a lock is held. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409]);

/** A content filter refused the conversation before the model saw it. */
export class ContentWithheldError extends StewardError {
  constructor() {
    super('FORBIDDEN', 'The model endpoint’s content filter refused the conversation.');
  }
}

/** What an endpoint said of its failure. */
interface EndpointFailure {
  /** Null where it stood in the stream of an answer that had begun with 200. */
  status: number | null;
  code: string;
  message: string;
  retryAfterMs: number | null;
}

/**
 * What the caller of a model is told of a failure. The endpoint's own words stay out of the
 * message: they may quote the conversation or the key.
 */
export function toModelError(error: unknown): StewardError {
  if (error instanceof StewardError) return error;
  if (error instanceof APIConnectionError) {
    return new StewardError('DEPENDENCY_UNAVAILABLE', 'The model endpoint cannot be reached.');
  }
  if (!(error instanceof APIError)) {
    return new StewardError(
      'DEPENDENCY_UNAVAILABLE',
      'The model endpoint did not keep to the streaming protocol.',
    );
  }
  const status: unknown = error.status;
  const code: unknown = error.code;
  return fromFailure({
    status: typeof status === 'number' ? status : null,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : '',
    message: error.message,
    retryAfterMs: readRetryAfter(error.headers ?? new Headers(), Date.now()),
  });
}

/**
 * The failure that an object in a stream tells of, in place of a chunk or beside one: `{"error":…}` of
 * OpenAI, `{"object":"error",…}` of vLLM, `{"code":…,"msg":…}` of gateways. Null when it is nothing of the kind.
 */
export function streamFailure(value: unknown): StewardError | null {
  if (!isJsonObject(value)) return null;
  const { error } = value;
  if (error) return toldFailure(isJsonObject(error) ? error : { message: error });
  const coded = codeOf(value) !== '';
  const said = messageOf(value) !== '';
  return said && (coded || value.object === 'error') ? toldFailure(value) : null;
}

/** The failure of an event that is named `error`, whatever its data is. */
export function errorEvent(data: string): StewardError {
  try {
    const value: unknown = JSON.parse(data);
    return streamFailure(value) ?? toldFailure(isJsonObject(value) ? value : {});
  } catch {
    return toldFailure({ message: data });
  }
}

function toldFailure(told: JsonObject): StewardError {
  const failure = { code: codeOf(told), message: messageOf(told) };
  return fromFailure({ status: null, ...failure, retryAfterMs: null });
}

function codeOf({ code }: JsonObject): string {
  return typeof code === 'string' || typeof code === 'number' ? String(code) : '';
}

function messageOf({ message, msg }: JsonObject): string {
  return [message, msg].find((text) => typeof text === 'string') ?? '';
}

function fromFailure({ status, code, message, retryAfterMs }: EndpointFailure): StewardError {
  const said = status === null ? 'an error in its stream' : `HTTP ${status}`;
  const what = `The model endpoint answered ${said}.`;
  if (WITHHELD_CODES.test(code)) return new ContentWithheldError();
  if (NO_MEANS_CODES.test(code)) {
    return new StewardError('DEPENDENCY_UNAVAILABLE', what, { retryable: false });
  }
  const busy = status === 429 || (status === null && BUSY_CODES.test(code));
  // A rate limit in tokens also speaks of too many tokens.
  if (!busy && (TOO_LONG_CODES.has(code) || TOO_LONG.test(message))) {
    return new ContextTooLongError();
  }
  const wait = retryAfterMs === null ? {} : { retryAfterMs };
  if (busy) return new StewardError('RATE_LIMITED', what, wait);
  const retryable = status === null || status >= 500 || PASSING_STATUSES.has(status);
  return new StewardError('DEPENDENCY_UNAVAILABLE', what, { retryable, ...wait });
}
