import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { OnApplicationShutdown } from '@nestjs/common';
import { assertObjectKey, assertObjectPrefix, isObjectKey } from '../object-key.js';
import { tooLarge, unavailable } from '../object-store-error.js';
import { OBJECT_MAX_BYTES, type ObjectStore, type StoredObject } from '../object-store.js';
import { S3Client } from './s3-client.js';
import type { S3Options } from './s3-options.js';

/** Under which the SHA-256 of an object is kept beside it, and how it comes back. */
const DIGEST = 'sha256';
const DIGEST_HEADER = `x-amz-meta-${DIGEST}`;

/**
 * Objects at an S3 endpoint. Each is stored with its SHA-256 and read against it, so an answer that
 * was cut short or changed on its way is an error, not an object.
 */
export class S3ObjectStore implements ObjectStore, OnApplicationShutdown {
  readonly bucket: string;
  private readonly client: S3Client;
  private readonly keysPerRequest: number;

  constructor(options: S3Options) {
    this.bucket = options.bucket;
    this.keysPerRequest = options.keysPerRequest;
    this.client = new S3Client(options);
  }

  async put(
    key: string,
    body: Buffer,
    { contentType, signal }: { contentType: string; signal?: AbortSignal },
  ): Promise<void> {
    assertObjectKey(key);
    if (body.length > OBJECT_MAX_BYTES) throw tooLarge(OBJECT_MAX_BYTES);
    const metadata = { 'Content-Type': contentType, [DIGEST]: sha256(body) };
    await this.client.run(
      (client) => client.putObject(this.bucket, key, body, body.length, metadata),
      signal,
    );
  }

  async get(
    key: string,
    { signal, maxBytes = OBJECT_MAX_BYTES }: { signal?: AbortSignal; maxBytes?: number } = {},
  ): Promise<Buffer> {
    assertObjectKey(key);
    return this.client.run(async (client, exchange) => {
      const stream = await client.getObject(this.bucket, key);
      const headers = exchange.answer?.headers ?? {};
      const body = await collect(stream, maxBytes, Number(headers['content-length'] ?? 0));
      const digest = headers[DIGEST_HEADER];
      // An object that another program put there has none.
      if (digest !== undefined && digest !== sha256(body)) {
        throw unavailable(new Error('the checksum is another'), 'The stored object is damaged.');
      }
      return body;
    }, signal);
  }

  async delete(keys: readonly string[]): Promise<void> {
    keys.forEach(assertObjectKey);
    for (let at = 0; at < keys.length; at += this.keysPerRequest) {
      const some = keys.slice(at, at + this.keysPerRequest);
      await this.client.run(async (client) => {
        const refused = await client.removeObjects(this.bucket, some);
        if (refused.length > 0) {
          throw unavailable(
            new Error(`${refused.length} of ${some.length} objects are still there`),
          );
        }
      });
    }
  }

  async *list(prefix: string): AsyncGenerator<StoredObject, void, void> {
    assertObjectPrefix(prefix);
    let token = '';
    do {
      const page = await this.client.run((client) =>
        client.listObjectsV2Query(this.bucket, prefix, token, '', this.keysPerRequest, ''),
      );
      for (const { name, size, lastModified } of page.objects) {
        if (name !== undefined && isObjectKey(name)) {
          yield { key: name, bytes: size, modifiedAt: lastModified };
        }
      }
      if (page.isTruncated && page.nextContinuationToken === token) {
        throw unavailable(new Error('the listing does not go on'));
      }
      token = page.isTruncated ? page.nextContinuationToken : '';
    } while (token !== '');
  }

  async check(): Promise<void> {
    await this.client.ensureBucket();
  }

  onApplicationShutdown(): void {
    this.client.close();
  }
}

/** All bytes of an answer. @throws StewardError OUTPUT_TOO_LARGE, before they are read if possible. */
async function collect(stream: Readable, maxBytes: number, announced: number): Promise<Buffer> {
  if (announced > maxBytes) {
    stream.destroy();
    throw tooLarge(maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('an answer of bytes is expected');
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
