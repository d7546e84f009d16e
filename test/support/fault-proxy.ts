import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What goes wrong between a client and its HTTP server. */
export type FaultKind =
  /** Nobody listens: ECONNREFUSED, and open connections break. */
  | { kind: 'refuse' }
  /** The connection is reset once the request has come. */
  | { kind: 'reset' }
  /** Silence: the request is taken and never answered; `midway` after half of the answer's body. */
  | { kind: 'hang'; midway?: boolean }
  /** Answered with that status, without asking the server. */
  | { kind: 'status'; status: 500 | 503 }
  /** Half of the answer's body, then the connection ends; `unsaid` when the length says so too. */
  | { kind: 'truncate'; unsaid?: boolean }
  /** A byte of the answer's body is another one. */
  | { kind: 'corrupt' }
  /** All is well, that many milliseconds later. */
  | { kind: 'delay'; ms: number };

/** A fault, and which requests it meets: all, or the next `times` ones, of those methods. */
export type Fault = FaultKind & { times?: number; methods?: readonly string[] };

export interface FaultProxy {
  /** Where it listens: `http://127.0.0.1:port`. The same for its whole life. */
  url: string;
  /** What goes wrong from now on, until it is set again; null: nothing. */
  fault: Fault | null;
  /** `METHOD /path?query` of every request that came, in order; a test may empty it. */
  requests: string[];
  close(): Promise<void>;
}

/** Opens a proxy to the HTTP server at `targetUrl`; headers go through as they are. */
export async function openFaultProxy(targetUrl: string): Promise<FaultProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let fault: Fault | null = null;

  const due = (method: string): FaultKind | null => {
    if (!fault || (fault.methods && !fault.methods.includes(method))) return null;
    const current = fault;
    if (current.times === undefined) return current;
    fault = current.times > 1 ? { ...current, times: current.times - 1 } : null;
    return current;
  };

  const server = createServer((near, answer) => {
    near.on('error', () => undefined);
    answer.on('error', () => undefined);
    requests.push(`${near.method} ${near.url}`);
    serve(near, answer, target, due(near.method ?? '')).catch(() => answer.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  // An idle connection that ends by itself would break a request now and then, which is then repeated:
  // tests that count requests are to see the faults that they ask for and no others.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get fault() {
      return fault;
    },
    set fault(next) {
      fault = next;
      if (next?.kind === 'refuse') {
        server.close();
        for (const socket of sockets) socket.resetAndDestroy();
      } else if (!server.listening) {
        server.listen(port, '127.0.0.1');
      }
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

async function serve(
  near: IncomingMessage,
  answer: ServerResponse,
  target: URL,
  fault: FaultKind | null,
): Promise<void> {
  const body = await bytesOf(near);
  if (fault?.kind === 'hang' && !fault.midway) return;
  if (fault?.kind === 'reset') {
    near.socket.resetAndDestroy();
    return;
  }
  if (fault?.kind === 'status') {
    answer.writeHead(fault.status, { 'content-type': 'text/plain' }).end('something is wrong');
    return;
  }
  if (fault?.kind === 'delay') await new Promise((later) => setTimeout(later, fault.ms));
  await pass(near, body, answer, target, fault);
}

async function pass(
  near: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
  target: URL,
  fault: FaultKind | null,
): Promise<void> {
  const far = httpRequest(new URL(near.url ?? '/', target), {
    method: near.method ?? 'GET',
    headers: near.headers,
    agent: false,
  });
  far.end(body);
  const [response] = (await once(far, 'response')) as [IncomingMessage];
  const bytes = await bytesOf(response);
  if (bytes.length === 0) {
    // There is nothing of which half could be missing.
    answer.writeHead(response.statusCode ?? 502, response.headers).end();
    return;
  }
  const half = bytes.subarray(0, bytes.length >> 1);
  if (fault?.kind === 'corrupt') {
    bytes[half.length] = (bytes[half.length] ?? 0) ^ 1;
  }
  const unsaid = fault?.kind === 'truncate' && fault.unsaid;
  const headers = unsaid
    ? { ...response.headers, 'content-length': String(half.length) }
    : response.headers;
  answer.writeHead(response.statusCode ?? 502, headers);
  if (unsaid) answer.end(half);
  else if (fault?.kind === 'truncate') answer.write(half, () => answer.destroy());
  else if (fault?.kind === 'hang') answer.write(half);
  else answer.end(bytes);
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
