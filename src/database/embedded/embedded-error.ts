import { StartupError } from '../../common/startup-error.js';

/** The embedded PostgreSQL cannot be started; the message tells the operator what to do. */
export class EmbeddedDatabaseError extends StartupError {
  constructor(message: string) {
    super(`The embedded PostgreSQL cannot start: ${message}`);
  }
}
