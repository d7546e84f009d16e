import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { openServerSocket, type ServerPlace, type ServerTls } from './server-socket.js';

/** Code of a CancelRequest (PostgreSQL, "Message Formats"), sent in place of a startup message. */
const CANCEL_REQUEST = 80_877_102;
/** A server that cannot be reached for so long is not asked any more, in ms. */
const PATIENCE_MS = 2_000;

/** Where a connection leads, and by what its server process knows that a cancel is its client's. */
export interface CancelTarget extends ServerPlace {
  processId: number;
  secretKey: number;
}

/** Reads it from a connection of the driver, whose types do not tell of it; null where it is not said. */
export function cancelTargetOf(connection: unknown): CancelTarget | null {
  if (typeof connection !== 'object' || connection === null) return null;
  const read = (name: string): unknown => Reflect.get(connection, name);
  const [host, port] = [read('host'), read('port')];
  const [processId, secretKey] = [read('processID'), read('secretKey')];
  if (typeof host !== 'string' || typeof port !== 'number') return null;
  if (typeof processId !== 'number' || typeof secretKey !== 'number') return null;
  const tls = tlsOf(read('ssl'), read('sslNegotiation'));
  return tls === undefined ? null : { host, port, tls, processId, secretKey };
}

/** Undefined for what is not known to be the driver's: it is not taken for a connection in the clear. */
function tlsOf(ssl: unknown, negotiation: unknown): ServerTls | null | undefined {
  if (ssl === false) return null;
  const direct = negotiation === 'direct';
  if (ssl === true) return { options: {}, direct };
  return isTlsOptions(ssl) ? { options: ssl, direct } : undefined;
}

function isTlsOptions(value: unknown): value is ConnectionOptions {
  return typeof value === 'object' && value !== null;
}

/**
 * Cancels the statement that a connection has under way, if it has one; its transaction can only be rolled
 * back after that. Asked over a connection of its own, as the protocol has it: no place of the pool, all
 * of which may be held up, is needed. With TLS where that connection has it: whoever reads the secret of
 * its session can cancel its statements. Never rejects.
 * @returns true once the server has passed it on, so that it does not meet what is sent after that; false
 *   when nobody knows whether it will: the server is not there, or has not answered in two seconds.
 */
export async function cancelStatement(target: CancelTarget): Promise<boolean> {
  const patience = new AbortController();
  // Not a time of silence, which a server that sends something would prolong.
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const socket = await openServerSocket(target, patience.signal);
    return await passedOn(socket, cancelRequest(target));
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function cancelRequest({ processId, secretKey }: CancelTarget): Buffer {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secretKey, 12);
  return request;
}

/** Whether the server has ended the connection by itself, which is all that it says. */
function passedOn(socket: Socket, request: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    let ended = false;
    socket.once('end', () => {
      ended = true;
    });
    socket.once('close', (failed) => resolve(ended && !failed));
    socket.resume();
    socket.write(request);
  });
}
