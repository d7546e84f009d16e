import { StewardError } from '../../../common/steward-error.js';

/** Something in a file that cannot be taken: where, and why, in words for the person who has it. */
export class IcalFault extends Error {
  constructor(
    /** Line of the file, from 1. */
    readonly line: number,
    readonly reason: string,
  ) {
    super(`Line ${line}: ${reason}`);
    this.name = 'IcalFault';
  }
}

/** The refusal of a whole file because of one fault. */
export function fileRefused(fault: IcalFault): StewardError {
  return new StewardError('INVALID_ACTION_INPUT', `The file is no calendar. ${fault.message}`, {
    issues: [{ path: 'ics', message: fault.message }],
  });
}
