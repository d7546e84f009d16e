import { StewardError } from '../steward-error.js';
import type { RemotePlaces } from './remote-target.js';

/**
 * The address may not be asked, or its name does not exist: one answer, so that nobody learns which
 * hosts there are inside the network.
 */
export function addressRefused({ internet }: RemotePlaces): StewardError {
  return wrongAddress(
    internet
      ? 'must be the https address of a file on a host of the Internet, such as https://calendar.example.com/public.ics.'
      : 'must be on one of the hosts that the administrator has listed.',
  );
}

/** The address may be asked, and does not lead to a file. */
export function wrongAddress(message: string): StewardError {
  return new StewardError('INVALID_ACTION_INPUT', `url: ${message}`, {
    issues: [{ path: 'url', message }],
  });
}

/** The host is away, too slow, or its answer is broken. */
export function addressUnavailable(cause: unknown): StewardError {
  return new StewardError(
    'DEPENDENCY_UNAVAILABLE',
    'The host of this address gives no usable answer at the moment; try again later.',
    {},
    { cause },
  );
}

export function remoteFileTooLarge(maxBytes: number): StewardError {
  const mebibytes = maxBytes / 1024 / 1024;
  return new StewardError('LIMIT_EXCEEDED', `A file at an address has at most ${mebibytes} MiB.`);
}
