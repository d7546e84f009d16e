import { StewardError } from '../common/steward-error.js';

/** Nothing may be done under the grant. */
export class GrantRefused extends StewardError {
  constructor(readonly reason: 'grant_withdrawn' | 'account_disabled') {
    super('FORBIDDEN', 'The grant of the scheduled task does not hold any more.');
  }
}
