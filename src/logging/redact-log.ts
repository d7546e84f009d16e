import { redactText } from '../tool-output/credential-scan.js';
import { REDACTED, isCredentialKey } from '../tool-output/credential-text.js';

/** Levels of an object that are written; deeper ones are no business of a log line. */
const MAX_DEPTH = 8;
const MAX_CAUSES = 4;
/** SQLSTATE class of values that PostgreSQL could not read; it quotes them in its message. */
const DATA_EXCEPTION = /^22/;
const QUOTED_VALUE = /"[^]*"/;

/** `password=`, `api_key: `, and what follows: how drivers name values in their messages. */
const NAME = /\b([a-z][\w-]{2,39})\s?[=:]\s?/gi;
const VALUE = /"[^"]*"|'[^']*'|[^\s"'&;,)}\]]+/y;
/** The password of a URL. */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:]{0,200}:)[^\s/@]{1,500}(?=@)/gi;

function redactNamed(text: string): string {
  let shown = '';
  let at = 0;
  for (const { 0: whole, 1: name = '', index } of text.matchAll(NAME)) {
    const start = index + whole.length;
    if (index < at || !isCredentialKey(name) || text.startsWith(REDACTED, start)) continue;
    VALUE.lastIndex = start;
    const value = VALUE.exec(text);
    if (!value) continue;
    shown += text.slice(at, start) + REDACTED;
    at = VALUE.lastIndex;
  }
  return shown + text.slice(at);
}

/** A text of the log without credentials, those included that only their name gives away. */
export function redactLine(text: string): string {
  return redactNamed(redactText(text).replace(URL_PASSWORD, `$1${REDACTED}`));
}

/** What is written of an error: no statement, no parameters, no driver's detail. */
export interface LoggedError {
  type: string;
  /** SQLSTATE, system error code or error code of PROTOCOL §5. */
  code?: string;
  message: string;
  stack?: string;
  cause?: LoggedError | string;
}

function codeOf(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string') return code;
  const inner: unknown = Reflect.get(error, 'driverError');
  return inner instanceof Error && inner !== error ? codeOf(inner) : undefined;
}

/** An error as the log shows it: chosen fields only, and its texts without credentials. */
export function logError(error: unknown, depth = 0): LoggedError | string {
  if (!(error instanceof Error)) {
    return typeof error === 'string' ? redactLine(error) : `a thrown ${typeof error}`;
  }
  const code = codeOf(error);
  const plain = (text: string): string => {
    const quotes = code !== undefined && DATA_EXCEPTION.test(code) && error.message !== '';
    const said = quotes
      ? text.replaceAll(error.message, () => error.message.replace(QUOTED_VALUE, `"${REDACTED}"`))
      : text;
    return redactLine(said);
  };
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    message: plain(error.message),
    ...(error.stack === undefined ? {} : { stack: plain(error.stack) }),
    ...(error.cause === undefined || depth >= MAX_CAUSES
      ? {}
      : { cause: logError(error.cause, depth + 1) }),
  };
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactLine(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return logError(value);
  const isList = Array.isArray(value);
  // A request, a date and the like have serialisers of their own.
  if (!isList && !isPlain(value)) return value;
  if (depth >= MAX_DEPTH) return '[nested too deeply]';
  return isList
    ? value.map((item: unknown) => redactValue(item, depth + 1))
    : redactFields(value, depth + 1);
}

/** The fields of a log entry with every credential in them replaced, by its key or by its look. */
export function redactFields(fields: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]: [string, unknown]) => {
      if (isCredentialKey(key) && value !== undefined && value !== null) return [key, REDACTED];
      // Left to its serialiser, which the logger calls by this name.
      const isLeft = depth === 0 && key === 'err' && value instanceof Error;
      return [key, isLeft ? value : redactValue(value, depth)];
    }),
  );
}
