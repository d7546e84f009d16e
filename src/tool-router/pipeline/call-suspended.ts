import type { Ask, AskedCall } from '../../interrupts/asked-call.js';

/**
 * Ends an attempt at a call that cannot go on without a person. It passes everything that turns
 * errors into records, so that nothing is recorded and what the attempt did is rolled back.
 */
export class CallSuspended extends Error {
  constructor(
    readonly call: AskedCall,
    readonly ask: Ask,
  ) {
    super('The call waits for a person.');
    this.name = 'CallSuspended';
  }
}
