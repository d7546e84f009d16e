import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { StewardError } from '../../common/steward-error.js';
import { abortError, timedOut } from '../object-store-error.js';
import type { S3Timing } from './s3-options.js';

type Listener = (response: IncomingMessage) => void;

/** What the minio client calls instead of `node:http`. */
export interface S3Transport {
  request(
    this: void,
    first: string | URL | RequestOptions,
    second?: RequestOptions | Listener,
    third?: Listener,
  ): ClientRequest;
}

/**
 * The requests that one operation makes, and what the client does not do itself: end one that takes
 * too long or that nobody wants any more, and tell how the store answered.
 */
export class S3Exchange {
  /** Status and headers of the latest answer. */
  answer: Pick<IncomingMessage, 'statusCode' | 'headers'> | undefined;
  /** Why we ended a request, when we did. */
  ended: StewardError | undefined;

  constructor(
    private readonly secure: boolean,
    private readonly timing: S3Timing,
    private readonly signal: AbortSignal | undefined,
  ) {}

  readonly transport: S3Transport = {
    request: (first, second) => {
      if (typeof second !== 'function') {
        throw new TypeError('The S3 client is expected to pass options and a listener.');
      }
      this.answer = undefined;
      const request = (this.secure ? https : http).request(first, second);
      this.watch(request);
      return request;
    },
  };

  private watch(request: ClientRequest): void {
    const end = (error: StewardError): void => {
      this.ended ??= error;
      request.destroy(error);
    };
    const { connectMs, readMs } = this.timing;
    // From the start, not from the socket: while all places hang, a new request gets none.
    const connecting = setTimeout(
      () => end(timedOut(new Error(`no connection within ${connectMs} ms`))),
      connectMs,
    );
    const connected = (): void => clearTimeout(connecting);
    request.on('socket', (socket: Socket) => {
      if (!socket.connecting) connected();
      else socket.once(this.secure ? 'secureConnect' : 'connect', connected);
    });
    request.setTimeout(readMs, () => end(timedOut(new Error(`no byte for ${readMs} ms`))));
    request.on('response', (response) => {
      this.answer = response;
      // The client does not read these, and an answer that nobody reads keeps its connection.
      if ((response.statusCode ?? 0) >= 500 || response.statusCode === 429) response.resume();
    });
    const { signal } = this;
    const aborted = (): void => {
      if (signal) end(abortError(signal));
    };
    if (signal?.aborted) aborted();
    signal?.addEventListener('abort', aborted);
    request.on('close', () => {
      connected();
      signal?.removeEventListener('abort', aborted);
    });
  }
}
