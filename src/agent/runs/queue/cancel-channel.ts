import type { RunKey } from '../run.js';

/** Channel on which replicas hear that a run is to be cancelled: `["userId","runId"]`. */
export const CANCEL_CHANNEL = 'agent_run_cancel';

export function cancelPayload({ userId, id }: RunKey): string {
  return JSON.stringify([userId, id]);
}

/** Null for what no replica sends: a payload is any session's to write. */
export function readCancelPayload(payload: string): RunKey | null {
  try {
    const value: unknown = JSON.parse(payload);
    if (!Array.isArray(value)) return null;
    const [userId, id]: unknown[] = value;
    return typeof userId === 'string' && typeof id === 'string' ? { userId, id } : null;
  } catch {
    return null;
  }
}
