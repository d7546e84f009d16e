import { StewardError } from '../common/steward-error.js';

/** Another process has taken the run over, or it has ended: nothing may be written to it here any more. */
export class RunLostError extends StewardError {
  constructor() {
    super('CONFLICT', 'The run was taken over by another process.');
  }
}
