import { StewardError } from '../../common/steward-error.js';
import { notFound, unavailable } from '../object-store-error.js';
import type { S3Exchange } from './s3-exchange.js';

/** How an attempt failed. */
export interface S3Failure {
  error: StewardError;
  /** Whether the same attempt may go well a moment later. */
  again: boolean;
  /** The store has no such bucket. */
  bucketMissing: boolean;
}

/**
 * What a failed attempt means. A 4xx is final, except 408 and 429; an answer that broke off or came
 * damaged, a connection that failed and a 5xx are not; a timeout is, since it has cost its time.
 */
export function explainFailure(thrown: unknown, exchange: S3Exchange): S3Failure {
  const final = (error: StewardError) => ({ error, again: false, bucketMissing: false });
  const passing = (error: StewardError) => ({ error, again: true, bucketMissing: false });
  if (exchange.ended) return final(exchange.ended);
  if (thrown instanceof StewardError) {
    return thrown.code === 'DEPENDENCY_UNAVAILABLE' ? passing(thrown) : final(thrown);
  }
  const status = exchange.answer?.statusCode;
  if (status === undefined || status < 300) return passing(unavailable(cause(thrown)));
  const code = codeOf(thrown);
  const said = new Error(`the store answered ${status} ${code}`.trim());
  if (status === 408 || status === 429 || status >= 500) return passing(unavailable(said));
  if (code === 'NoSuchBucket') {
    return { error: noBucket(said), again: false, bucketMissing: true };
  }
  if (status === 404) return final(notFound(said));
  if (status === 401 || status === 403) {
    return final(unavailable(said, 'The object store refuses the access.'));
  }
  return final(unavailable(said));
}

/** The bucket is missing, and may not be made or cannot. */
export function noBucket(cause?: unknown): StewardError {
  return unavailable(cause, 'The bucket of the object store does not exist.');
}

/** The S3 or system error code in what the client threw, '' when there is none. */
function codeOf(thrown: unknown): string {
  const code = memberOf(thrown, 'code');
  return /^[A-Za-z0-9_]{1,64}$/.test(code) ? code : '';
}

/** The client's errors carry whatever the store's answer says, which may be the access key. */
function cause(thrown: unknown): Error {
  const fromSystem = memberOf(thrown, 'syscall') !== '' || codeOf(thrown) === 'ECONNRESET';
  const what = fromSystem
    ? memberOf(thrown, 'message')
    : `the answer cannot be read: ${memberOf(thrown, 'name')}`;
  return new Error(what);
}

/** A member that is a text, '' for any other; errors of `node:http` may be of another realm. */
function memberOf(thrown: unknown, name: string): string {
  const value: unknown =
    typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined;
  return typeof value === 'string' ? value : '';
}
