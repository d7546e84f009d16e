import { StewardError } from '../common/steward-error.js';

/**
 * What `/readyz` answers while requests cannot be served: 503. It is no failed request, so the log does
 * not have it; whoever finds the fault says once that it is there, and once that it is over.
 */
export class NotReadyError extends StewardError {
  constructor(message: string, cause?: unknown) {
    super('DEPENDENCY_UNAVAILABLE', message, {}, { cause });
  }
}
