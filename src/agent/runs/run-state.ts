/**
 * States of a run (PROTOCOL §12). Who executes a run is no part of its state: an active run is claimed
 * by a process, handed over by one that stops, or taken up after one that died, and stays `queued` or
 * `running`, as far as it had come. A `waiting` run has asked its person something, or waits for what its client carries out, and has said its last:
 * no process holds it and it has no credential. It is left for
 * - `succeeded` when it is answered: another run, made by that, goes on;
 * - `cancelled` when it is cancelled, or the person says something else instead of answering;
 * - `failed` when nobody answers in time: APPROVAL_EXPIRED of its person, TIMEOUT of its client.
 */
export const RUN_STATUSES = [
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'cancelled',
] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

/** States of a run that is claimed and executed: no other run of its thread may start. */
export const ACTIVE_STATUSES = ['queued', 'running'] as const satisfies RunStatus[];

/** States that a run never leaves. */
export type FinalStatus = Exclude<RunStatus, (typeof ACTIVE_STATUSES)[number] | 'waiting'>;

const NEXT: Record<RunStatus, readonly RunStatus[]> = {
  queued: ['running', 'failed', 'cancelled'],
  running: ['waiting', 'succeeded', 'failed', 'cancelled'],
  waiting: ['succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
};

/** True when a run may go from one state to the other; no state leads to itself. */
export function canTransition(from: RunStatus, to: RunStatus): boolean {
  return NEXT[from].includes(to);
}

/** The states from which `to` may be reached: the guard of the UPDATE that makes the step. */
export function sourcesOf(to: RunStatus): RunStatus[] {
  return RUN_STATUSES.filter((from) => canTransition(from, to));
}

/** True for the states in which a run may be claimed and handed over. */
export function isActive(status: RunStatus): boolean {
  return ACTIVE_STATUSES.some((active) => active === status);
}

/** True for succeeded, failed and cancelled. */
export function isFinal(status: RunStatus): status is FinalStatus {
  return NEXT[status].length === 0;
}
