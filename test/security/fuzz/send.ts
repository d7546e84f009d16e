import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import type { Finds } from './finds.js';
import type { FuzzedRequest } from './http-requests.js';

export interface Received {
  status: number;
  type: string;
  /** Whole, but of a stream, which is left after its head. */
  body: string;
}

/** Milliseconds in which a server that works has answered anything of this. */
const ANSWER_MS = 20_000;

export const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends a generated request as it is. */
export function send(
  url: string,
  { method, path, headers, body }: FuzzedRequest,
  token: string,
  finds: Finds,
): Promise<Received> {
  const bytes =
    body === null
      ? null
      : 'text' in body
        ? Buffer.from(finds.fill(body.text))
        : Buffer.from(body.base64, 'base64');
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(url).origin + finds.fill(path),
      {
        agent,
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...headers,
          ...(bytes === null ? {} : { 'content-length': String(bytes.length) }),
        },
        timeout: ANSWER_MS,
      },
      (response) => {
        const type = response.headers['content-type'] ?? '';
        const status = response.statusCode ?? 0;
        if (type.startsWith('text/event-stream')) {
          response.on('error', () => undefined);
          outgoing.destroy();
          resolve({ status, type, body: '' });
          return;
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status, type, body: Buffer.concat(chunks).toString() }));
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer: ${method} ${path}`)));
    outgoing.on('error', reject);
    outgoing.end(bytes ?? undefined);
  });
}

/** Writes octets to the server's socket and gives what it says until it closes. */
export function sendOctets(url: string, octets: Buffer, cut: boolean): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      if (cut) socket.write(octets, () => socket.end());
      else socket.write(octets);
    });
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('the socket stays open')));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close before it has read everything; that is its right.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return;
      reject(error);
    });
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}
