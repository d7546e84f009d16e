/** The embedded PostgreSQL cannot be started; the message tells the operator what to do. */
export class EmbeddedDatabaseError extends Error {
  constructor(message: string) {
    super(`The embedded PostgreSQL cannot start: ${message}`);
    this.name = 'EmbeddedDatabaseError';
  }
}
