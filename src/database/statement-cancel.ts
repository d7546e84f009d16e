import { connect, type Socket } from 'node:net';

/** Code of a CancelRequest (PostgreSQL, "Message Formats"), sent in place of a startup message. */
const CANCEL_REQUEST = 80_877_102;
/** A server that cannot be reached for so long is not asked any more, in ms. */
const PATIENCE_MS = 2_000;

/** Where a connection leads, and by what its server process knows that a cancel is its client's. */
export interface CancelTarget {
  /** A name or address; a folder for a Unix socket. */
  host: string;
  port: number;
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
  return { host, port, processId, secretKey };
}

/**
 * Cancels the statement that a connection has under way, if it has one; its transaction can only be rolled
 * back after that. Asked over a connection of its own, as the protocol has it: no place of the pool, all
 * of which may be held up, is needed. Never rejects.
 * @returns true once the server has passed it on, so that it does not meet what is sent after that; false
 *   when nobody knows whether it will: the server is not there, or has not answered in two seconds.
 */
export function cancelStatement({
  host,
  port,
  processId,
  secretKey,
}: CancelTarget): Promise<boolean> {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket: Socket = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect(port, host);
    let passedOn = false;
    // Not a time of silence, which a server that sends something would prolong.
    const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
    socket.once('connect', () => socket.write(request));
    // What comes is the end of the connection; nothing is said.
    socket.resume();
    socket.once('end', () => {
      passedOn = true;
    });
    socket.on('error', () => undefined);
    socket.once('close', (failed) => {
      clearTimeout(timer);
      resolve(passedOn && !failed);
    });
  });
}
