import { performance } from 'node:perf_hooks';
import { StewardError } from '../../../common/steward-error.js';

/** Time that a file's rules may take altogether; an honest file of 5000 series takes far less. */
const MILLISECONDS = 3_000;

/** What reading a file costs where the cost is not in its size: a short rule can mean long work. */
export class ImportEffort {
  private spent = 0;

  /** @throws LIMIT_EXCEEDED when earlier work has used up what one file may take. */
  spend<T>(work: () => T): T {
    if (this.spent > MILLISECONDS) {
      throw new StewardError(
        'LIMIT_EXCEEDED',
        `The rules of this file take longer to work out than ${MILLISECONDS / 1000} seconds; import it in parts.`,
      );
    }
    const begun = performance.now();
    try {
      return work();
    } finally {
      this.spent += performance.now() - begun;
    }
  }
}
