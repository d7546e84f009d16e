import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { StewardError } from '../steward-error.js';
import { within } from '../within.js';
import {
  allowedAddresses,
  connectTo,
  REAL_NETWORK,
  type RemoteNetwork,
} from './pinned-connection.js';
import {
  addressRefused,
  addressUnavailable,
  remoteFileTooLarge,
  wrongAddress,
} from './remote-errors.js';
import { remoteTarget, type RemotePlaces, type RemoteTarget } from './remote-target.js';

export interface RemoteFile {
  bytes: Buffer;
  /** As the host says it. */
  contentType: string | undefined;
}

export interface RemoteFileOptions {
  places: RemotePlaces;
  /** Media type that is asked for. */
  accept: string;
  /** Of the file, unpacked. */
  maxBytes: number;
  /** Milliseconds for everything, redirects too. */
  timeoutMs: number;
  network?: RemoteNetwork;
}

const REDIRECTS_MAX = 3;
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308];
const UNPACKED: readonly string[] = ['', 'identity'];
const PACKED: readonly string[] = ['gzip', 'x-gzip'];

/**
 * Reads files at addresses that users give, without becoming their way into the network
 * (server-side request forgery): every address, redirects too, is judged as it is written and by
 * what it resolves to, and the connection goes to just that. It sends no cookie and no token.
 */
export class RemoteFiles {
  private readonly network: RemoteNetwork;

  constructor(private readonly options: RemoteFileOptions) {
    this.network = options.network ?? REAL_NETWORK;
  }

  /**
   * @throws INVALID_ACTION_INPUT (`url`) for an address that is refused or has no file;
   *   DEPENDENCY_UNAVAILABLE for one that gives no answer in time; LIMIT_EXCEEDED.
   */
  async read(address: string): Promise<RemoteFile> {
    try {
      return await within(this.options.timeoutMs, (signal) => this.follow(address.trim(), signal));
    } catch (error) {
      if (error instanceof StewardError && error.code !== 'TIMEOUT') throw error;
      throw addressUnavailable(error);
    }
  }

  private async follow(address: string, signal: AbortSignal): Promise<RemoteFile> {
    let target = remoteTarget(address, this.options.places);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      const addresses = target && (await allowedAddresses(target, this.network));
      if (!target || !addresses) throw addressRefused(this.options.places);
      signal.throwIfAborted();
      const answer = await this.ask(target, addresses, signal);
      if (!('location' in answer)) return answer;
      target = remoteTarget(answer.location, this.options.places, target.url);
    }
    throw wrongAddress(`leads on over more than ${REDIRECTS_MAX} redirects.`);
  }

  private async ask(
    target: RemoteTarget,
    addresses: LookupAddress[],
    signal: AbortSignal,
  ): Promise<RemoteFile | { location: string }> {
    const [{ request: open }, defaultPort] =
      target.url.protocol === 'https:' ? [https, 443] : [http, 80];
    const request = open(target.url, {
      signal,
      // Or the Host header would name port 80: without an agent, Node knows no other.
      defaultPort,
      headers: { accept: this.options.accept, 'accept-encoding': 'gzip', 'user-agent': 'Steward' },
      createConnection: () => connectTo(target, addresses, this.network),
    });
    try {
      const response = await responseTo(request);
      const { location } = response.headers;
      if (REDIRECTS.includes(response.statusCode) && location !== undefined) return { location };
      assertFile(response.statusCode ?? 0);
      return {
        bytes: await this.contentOf(response),
        contentType: response.headers['content-type'],
      };
    } finally {
      request.destroy();
    }
  }

  private async contentOf(response: IncomingMessage): Promise<Buffer> {
    const { maxBytes } = this.options;
    if (Number(response.headers['content-length']) > maxBytes) throw remoteFileTooLarge(maxBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of unpacked(response)) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('A stream of octets was expected.');
      size += chunk.length;
      if (size > maxBytes) throw remoteFileTooLarge(maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  // It may fail again when it has failed already, or is not wanted any more.
  request.on('error', () => undefined);
  const answered = new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
  const closed = once(request, 'close').then(() => {
    throw new Error('The connection was closed without an answer.');
  });
  closed.catch(() => undefined);
  request.end();
  return Promise.race([answered, closed]);
}

function assertFile(status: number): void {
  if (status === 200) return;
  if (status === 429 || status >= 500) throw addressUnavailable(new Error(`HTTP status ${status}`));
  throw wrongAddress(`the host answers with HTTP status ${status}, not with a file.`);
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (UNPACKED.includes(encoding)) return response;
  if (!PACKED.includes(encoding)) throw addressUnavailable(new Error('An encoding not asked for.'));
  // Errors of either arrive at whoever reads what comes out.
  return pipeline(response, createGunzip(), () => undefined);
}
