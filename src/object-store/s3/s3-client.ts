import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'minio';
import { orAbort } from '../../common/abortable.js';
import { abortError, throwIfAborted } from '../object-store-error.js';
import { S3Exchange } from './s3-exchange.js';
import { explainFailure, noBucket } from './s3-failure.js';
import type { S3Options } from './s3-options.js';

/** Attempts of one operation. Every operation of the port may be repeated. */
const ATTEMPTS = 3;

/** One attempt: the client to use, and what it has been answered. */
export type S3Work<T> = (client: Client, exchange: S3Exchange) => Promise<T>;

/** Runs operations against an S3 endpoint: bounded, abortable, repeated where that is safe. */
export class S3Client {
  constructor(private readonly options: S3Options) {}

  /**
   * Runs `work`, again after a passing failure, and once more when the bucket was missing and could
   * be made.
   * @throws StewardError as the port says.
   */
  async run<T>(work: S3Work<T>, signal?: AbortSignal): Promise<T> {
    let mayMakeBucket = this.options.createBucket;
    for (let attempt = 1; ; attempt += 1) {
      throwIfAborted(signal);
      const exchange = new S3Exchange(this.options.client.useSSL, this.options.timing, signal);
      try {
        return await this.attempt(work, exchange, signal);
      } catch (thrown) {
        if (signal?.aborted) throw abortError(signal);
        const { error, again, bucketMissing } = explainFailure(thrown, exchange);
        if (bucketMissing && mayMakeBucket) {
          mayMakeBucket = false;
          await this.makeBucket(signal);
        } else if (!again || attempt >= ATTEMPTS) {
          throw error;
        } else {
          await this.pause(attempt, signal);
        }
      }
    }
  }

  /** Resolves when the bucket is there; makes it when it is missing and that is allowed. */
  async ensureBucket(): Promise<void> {
    const exists = await this.run((client) => client.bucketExists(this.options.bucket));
    if (exists) return;
    if (!this.options.createBucket) throw noBucket();
    await this.makeBucket();
  }

  /** Closes idle connections. */
  close(): void {
    this.options.client.transportAgent.destroy();
  }

  private async makeBucket(signal?: AbortSignal): Promise<void> {
    const exchange = new S3Exchange(this.options.client.useSSL, this.options.timing, signal);
    const { bucket, region } = this.options;
    try {
      await this.attempt((client) => client.makeBucket(bucket, region), exchange, signal);
    } catch (thrown) {
      const { error } = explainFailure(thrown, exchange);
      if (exchange.answer?.statusCode !== 409) throw error;
      // There is one by now. If another replica was first, and not a stranger, it can be used.
      if (!(await this.run((client) => client.bucketExists(bucket), signal))) throw error;
    }
  }

  private attempt<T>(work: S3Work<T>, exchange: S3Exchange, signal?: AbortSignal): Promise<T> {
    // A client for each attempt: the way to give a request its own signal is the transport.
    const client = new Client({ ...this.options.client, transport: exchange.transport });
    const working = work(client, exchange);
    return signal ? orAbort(working, signal) : working;
  }

  private async pause(attempt: number, signal?: AbortSignal): Promise<void> {
    // Some chance in it, so that replicas do not come back all at once.
    const ms = this.options.timing.backoffMs * 2 ** (attempt - 1) * (1 + Math.random());
    try {
      await delay(ms, undefined, { signal });
    } catch (error) {
      throw signal ? abortError(signal) : error;
    }
  }
}
