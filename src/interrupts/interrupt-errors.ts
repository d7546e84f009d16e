import { StewardError } from '../common/steward-error.js';
import type { Interrupt } from './interrupt.js';

/** There is none, or it is somebody else's. */
export function notFound(id: string): StewardError {
  return new StewardError('NOT_FOUND', `There is no interrupt ${id} here.`);
}

/** It waits no more. */
export function alreadyResolved({ id, status }: Interrupt): StewardError {
  return new StewardError('CONFLICT', `${id} is resolved already (${status}).`);
}
