import { EnvError, makeValidator } from 'envalid';
import { isJsonObject, type JsonObject } from '../../common/json.js';

/** A whole number within bounds; the message of a bad value names both. */
export const integer = (min: number, max: number) =>
  makeValidator<number>((input) => {
    const value = Number(input);
    if (!/^\d+$/.test(input.trim()) || !Number.isSafeInteger(value) || value < min || value > max) {
      throw new EnvError(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  });

/** A switch. */
export const flag = makeValidator<boolean>((input) => {
  if (input !== 'true' && input !== 'false') throw new EnvError('must be true or false');
  return input === 'true';
});

const BLANK = 'is blank: give it a value, or leave it out';

/** A key or password: blank is none, and whoever sets it so would take for protected what is open. */
export const secret = makeValidator<string>((input) => {
  if (input.trim() === '') throw new EnvError(BLANK);
  return input;
});

/** A token that clients send in the Authorization header, in the characters that it may have there. */
export const bearerSecret = makeValidator<string>((input) => {
  if (input.trim() === '') throw new EnvError(BLANK);
  if (!/^[\x21-\x7e]+$/.test(input)) throw new EnvError('must be visible ASCII without spaces');
  return input;
});

/** A JSON object. */
export const jsonObject = makeValidator<JsonObject>((input) => {
  try {
    const value: unknown = JSON.parse(input);
    if (isJsonObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new EnvError('must be a JSON object such as {"enable_thinking":false}');
});

/** A comma-separated list; blanks fall away. */
export const list = makeValidator<string[]>((input) =>
  input
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** `name=value,name=value`, values percent-encoded. */
export const headers = makeValidator<Record<string, string>>((input) => {
  const pairs = input.split(',').map((part): [string, string] => {
    const [, name, value] = /^\s*([\w-]+)=([\x21-\x7e]+)\s*$/.exec(part) ?? [];
    try {
      if (name && value) return [name.toLowerCase(), decodeURIComponent(value)];
    } catch {
      // Not percent-encoded.
    }
    throw new EnvError('must be name=value pairs, comma-separated, values percent-encoded');
  });
  return Object.fromEntries(pairs);
});

/** A number from 0 to 1. */
export const share = makeValidator<number>((input) => {
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(input.trim())) throw new EnvError('must be from 0 to 1');
  return Number(input);
});

/** A connection URL of PostgreSQL. */
export const postgresUrl = makeValidator<string>((input) => {
  if (!/^postgres(ql)?:\/\/\S+$/.test(input)) {
    throw new EnvError('must be a URL such as postgres://user:password@host:5432/database');
  }
  return input;
});

/** A connection URL of Redis; `rediss` is TLS. */
export const redisUrl = makeValidator<string>((input) => {
  if (!/^rediss?:\/\/\S+$/.test(input) || !URL.canParse(input)) {
    throw new EnvError('must be a URL such as redis://:password@host:6379/0');
  }
  return input;
});

/** An absolute http(s) URL without a trailing slash. */
export const httpUrl = makeValidator<string>((input) => {
  if (!/^https?:\/\/[^\s]+$/.test(input) || !URL.canParse(input)) {
    throw new EnvError('must be an http:// or https:// URL');
  }
  return input.replace(/\/+$/, '');
});

/** A comma-separated list of http(s) origins. */
export const origins = makeValidator<string[]>((input) =>
  input
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const url = /^https?:\/\/\S+$/i.test(part) && URL.canParse(part) ? new URL(part) : null;
      if (!url || url.href !== `${url.origin}/`) {
        throw new EnvError('must be origins such as https://calendar.example.internal:8443');
      }
      return url.origin;
    }),
);

/** The origin of an S3 endpoint; the bucket and the keys have variables of their own. */
export const s3Endpoint = makeValidator<string>((input) => {
  const url = /^https?:\/\/[^\s]+$/.test(input) && URL.canParse(input) ? new URL(input) : null;
  if (!url || url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    throw new EnvError('must be an http:// or https:// URL of a host, without path or keys');
  }
  return url.origin;
});

/** The name of a bucket, by the rules of S3. */
export const bucketName = makeValidator<string>((input) => {
  if (!/^(?!\d+(?:\.\d+){3}$)[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]$/.test(input)) {
    throw new EnvError('must be 3 to 63 of a-z, 0-9, - and .');
  }
  return input;
});

/** A list of words that are all known. */
export const listOf = (known: readonly string[]) =>
  makeValidator<string[]>((input) => {
    const words = input
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const unknown = words.find((word) => !known.includes(word));
    if (unknown !== undefined) throw new EnvError(`may have ${known.join(', ')}`);
    return words;
  });
