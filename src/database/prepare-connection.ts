import { makeCancellable, type Connection } from './cancellable-statements.js';

/** Milliseconds after which PostgreSQL ends the statement, and so the transaction, of a client that is gone. */
const CLIENT_CHECK_MS = 2_000;

/**
 * Sets up a new connection of the pool. A statement that waits for a lock would otherwise outlive the
 * process that sent it, and its transaction keep the run from whoever takes it up. A server on a platform
 * that cannot look after its clients goes without.
 */
export async function prepareConnection(connection: Connection): Promise<void> {
  try {
    await connection.query(`SET client_connection_check_interval = ${CLIENT_CHECK_MS}`);
  } catch {
    // Said above.
  }
  makeCancellable(connection);
}
