import { StartupError } from '../common/startup-error.js';

/** The database was there when the start began, and not any more before it was done. */
export class DatabaseWentAwayError extends StartupError {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `The database went away while Steward was starting: ${reason}. ` +
        'Nothing is lost: start it again, or let a process manager do so.',
      { cause },
    );
  }
}
