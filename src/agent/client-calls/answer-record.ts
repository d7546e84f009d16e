import type { JsonValue } from '../../common/json.js';
import { CLIENT_MODULE } from '../../common/capability-id.js';
import type { ErrorCode } from '../../common/error-codes.js';
import type { Locale } from '../../common/locale.js';
import { StewardError } from '../../common/steward-error.js';
import { projectionBytes } from '../../tool-output/projection.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { parseLosslessJson } from '../../tool-router/input/lossless-json.js';
import { toJsonData } from '../../tool-router/pipeline/json-data.js';
import { failureRecord, successRecord } from '../../tool-router/pipeline/record-builder.js';
import { toStorable } from '../loop/safe-text.js';
import { text, type TextKey } from '../texts.js';
import type { HandedOutCall } from '../../tool-router/client-tools/handed-out-call.js';

/** Characters of an error that a client tells. */
const MAX_ERROR_LENGTH = 2_000;

/** Why a call has no answer of its client. */
export type Unanswered = 'expired' | 'went_on' | 'run_ended';

const UNANSWERED = {
  expired: ['TIMEOUT', 'clientUnanswered'],
  went_on: ['CANCELLED', 'clientGivenUp'],
  run_ended: ['CANCELLED', 'clientCancelled'],
} as const satisfies Record<Unanswered, readonly [ErrorCode, TextKey]>;

/** What a client said. */
export interface ClientAnswer {
  /** JSON or a text. */
  content: string;
  error?: string;
}

interface Settled {
  toolCallId: string;
  call: HandedOutCall;
  at: Date;
  locale: Locale;
}

/**
 * The record of a call that its client has answered (PROTOCOL §7): JSON is its data, everything else a
 * text. What the client says comes from outside and is data like any other result. Pure.
 * @param maxBytes of the projection; a larger one is a failure, as of any call.
 */
export function answerRecord(
  settled: Settled,
  answer: ClientAnswer,
  maxBytes: number,
): ToolAgentOutput {
  const { call, at, locale } = settled;
  if (answer.error !== undefined) {
    const said = toStorable(answer.error.slice(0, MAX_ERROR_LENGTH));
    const separator = locale === 'zh-CN' ? '：' : ': ';
    const message = `${text('clientFailed', locale)}${separator}${said}`;
    return failed(settled, new StewardError('DEPENDENCY_UNAVAILABLE', message, KNOWN));
  }
  const record = successRecord(
    factsOf(settled),
    {
      status: 'success',
      data: dataOf(answer.content),
      input: call.input,
      repairs: call.repairs,
      approval: call.approval ?? null,
      uiHints: null,
      summary: undefined,
    },
    at,
  );
  const bytes = projectionBytes(record);
  if (bytes <= maxBytes) return record;
  const message = `The result has ${bytes} bytes; at most ${maxBytes} can be returned.`;
  return failed(settled, new StewardError('OUTPUT_TOO_LARGE', message));
}

/** The record of a call that nobody answered. Pure. */
export function unansweredRecord(settled: Settled, why: Unanswered): ToolAgentOutput {
  const [code, key] = UNANSWERED[why];
  return failed(settled, new StewardError(code, text(key, settled.locale), KNOWN));
}

/** To make the same call again helps as little as with any other failure that is known. */
const KNOWN = { retryable: false };

function failed(settled: Settled, error: StewardError): ToolAgentOutput {
  return failureRecord(factsOf(settled), error, settled.at, settled.call.repairs);
}

function factsOf({ toolCallId, call, locale }: Settled) {
  const args = { module: CLIENT_MODULE, method: call.method, input: call.input };
  return { toolCallId, args, startedAt: new Date(call.startedAt), locale };
}

/** JSON that nothing is lost of and that can be stored; what is none is the text that it is. */
function dataOf(content: string): JsonValue {
  const value = parseLosslessJson(content);
  if (value === undefined) return toStorable(content);
  try {
    return toJsonData(value);
  } catch {
    return toStorable(content);
  }
}
