import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { ClientOptions } from 'minio';
import type { AppConfig } from '../../config/app-config.js';

/** What an S3 store is told. */
export interface S3Options {
  client: ClientOptions & { useSSL: boolean; transportAgent: HttpAgent };
  bucket: string;
  region: string;
  /** Whether a bucket that is missing is made. */
  createBucket: boolean;
  /** Keys that one request lists or deletes, at most; S3 takes 1,000. */
  keysPerRequest: number;
  timing: S3Timing;
}

export interface S3Timing {
  /** Milliseconds until a connection stands, the wait for a free place among them included. */
  connectMs: number;
  /** Milliseconds without a byte in either direction. */
  readMs: number;
  /** Milliseconds before the first repetition; twice as many before the next. */
  backoffMs: number;
}

/** More would only wait on the other side. */
const MAX_CONNECTIONS = 64;

/** Options of the store that the `S3_` variables name. `S3_ENDPOINT` and the keys are set. */
export function s3Options(config: AppConfig & { S3_ENDPOINT: string }): S3Options {
  const { protocol, hostname, port } = new URL(config.S3_ENDPOINT);
  const useSSL = protocol === 'https:';
  const pool = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  return {
    client: {
      // The client wants an IPv6 address without its brackets.
      endPoint: hostname.replace(/^\[|\]$/g, ''),
      ...(port === '' ? {} : { port: Number(port) }),
      useSSL,
      accessKey: config.S3_ACCESS_KEY ?? '',
      secretKey: config.S3_SECRET_KEY ?? '',
      // Told, it is not asked for before the first request.
      region: config.S3_REGION,
      pathStyle: config.S3_PATH_STYLE,
      transportAgent: useSSL ? new HttpsAgent(pool) : new HttpAgent(pool),
      // Its own repetitions write to the console and know no signal.
      retryOptions: { disableRetry: true },
      partSize: 512 * 1024 * 1024,
    },
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    createBucket: config.S3_CREATE_BUCKET,
    keysPerRequest: 1000,
    timing: {
      connectMs: config.S3_CONNECT_TIMEOUT_MS,
      readMs: config.S3_TIMEOUT_MS,
      backoffMs: 100,
    },
  };
}
