import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../common/ids.js';
import { toProblem } from './problem.js';
import { REQUEST_ID_HEADER } from './request-id.js';

/** What the parser of HTTP found, by the code of its error: the status, and words for the caller. */
const FAULTS: Record<string, { status: number; type: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, type: 'headers.too.large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, type: 'chunk.extensions.too.large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, type: 'request.too.slow' },
};
const MALFORMED = { status: 400, type: 'request.malformed' };

/**
 * Milliseconds for which a connection stays open behind such an answer. Closed at once, it would be
 * reset while the client still sends, and the client would never read why.
 */
const LINGER_MS = 1_000;

/**
 * Answers with a problem document (PROTOCOL §11) what never becomes a request: HTTP that cannot be
 * parsed (400), a URL and headers of more than 16 KiB (431), a request that takes too long (408). The
 * connection ends with it. One on which an answer is under way ends without a word.
 */
export function answerClientErrors(server: Server): void {
  const due = new WeakMap<Socket, Set<ServerResponse>>();
  const told = new WeakSet<Socket>();
  server.on('request', ({ socket }, response) => {
    const answers = due.get(socket) ?? new Set();
    due.set(socket, answers.add(response));
    response.once('close', () => answers.delete(response));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    // The server is one of `node:http`, whose connections are sockets.
    const socket = duplex as Socket;
    // What still comes is no news, and read only so that the answer gets through.
    if (told.has(socket)) return;
    // Requests may come before the one before is answered: that one would take this for its answer.
    const free = [...(due.get(socket) ?? [])].every(
      (answer) => answer.writableFinished || isAtFault(answer),
    );
    if (error.code === 'ECONNRESET' || !socket.writable || !free) {
      socket.destroy();
      return;
    }
    told.add(socket);
    socket.end(answerTo(error.code ?? ''));
    const giveUp = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(giveUp));
  });
}

/** Whether the fault is in the body of the very request whose answer this is. */
function isAtFault(answer: ServerResponse): boolean {
  return !answer.req.complete && !answer.headersSent;
}

function answerTo(code: string): string {
  const fault = FAULTS[code] ?? MALFORMED;
  const requestId = newId('req');
  const body = JSON.stringify(toProblem(fault, requestId));
  return [
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status] ?? ''}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
