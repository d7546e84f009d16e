import { StewardError } from '../../../common/steward-error.js';
import { text } from '../../texts.js';
import type { Assignment } from './assignment.js';

/**
 * Aborts a run with its time or with its credential, whichever ends first.
 * @param now milliseconds since the epoch.
 * @param timeoutMs how long a run may take from its beginning, in whichever process that was.
 * @param controller is aborted with StewardError TIMEOUT, at once where nothing is left.
 */
export function startDeadline(
  { run, credentialExpiresAt }: Assignment,
  now: number,
  timeoutMs: number,
  controller: AbortController,
): NodeJS.Timeout {
  const credentialMs = credentialExpiresAt.getTime() - now;
  const startedAt = run.startedAt?.getTime() ?? now;
  const leftMs = Math.min(credentialMs, startedAt + timeoutMs - now);
  const expire = (): void => {
    const key = credentialMs <= 0 && !run.startedAt ? 'queueTimeout' : 'runTimeout';
    controller.abort(new StewardError('TIMEOUT', text(key, run.locale)));
  };
  if (leftMs <= 0) expire();
  return setTimeout(expire, Math.max(0, leftMs));
}
