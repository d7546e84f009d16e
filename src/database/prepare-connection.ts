import { makeCancellable, type Connection } from './cancellable-statements.js';

/** Milliseconds after which PostgreSQL ends the statement, and so the transaction, of a client that is gone. */
const CLIENT_CHECK_MS = 2_000;

/** What a server says that cannot look after its clients, or does not know how to: SQLSTATE. */
const NOT_OFFERED = new Set(['22023', '42704', '0A000']);

const UNCANCELLABLE =
  'What DATABASE_URL leads to gives its connections no key for cancelling: a cancelled call ends only with the statement that it has under way.';

/** Sets up a new connection of a pool. @throws whatever the server says that cannot be used. */
export type PrepareConnection = (connection: Connection) => Promise<void>;

/**
 * For the connections of one pool. A statement that waits for a lock would otherwise outlive the process
 * that sent it, and its transaction keep the run from whoever takes it up. A server on a platform that
 * cannot look after its clients goes without; so does one whose statements cannot be cancelled.
 * @param warn is told of the latter, once.
 */
export function preparesConnections(
  warn: (line: string) => void = () => undefined,
): PrepareConnection {
  let isTold = false;
  return async (connection) => {
    try {
      await connection.query(`SET client_connection_check_interval = ${CLIENT_CHECK_MS}`);
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      if (typeof code !== 'string' || !NOT_OFFERED.has(code)) throw error;
    }
    if (makeCancellable(connection) || isTold) return;
    isTold = true;
    warn(UNCANCELLABLE);
  };
}
