import {
  LIMIT_NAMES,
  type CallLimits,
  type LimitName,
} from '../../capabilities/capability-setting.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Every run began at the same time, as far as its count goes. */
const RUN_START = new Date(0);

/** Who calls, as far as limits go. */
export interface CountedCaller {
  userId: string;
  runId: string | null;
}

/** One count that a call goes into, and how far it may go. */
export interface LimitWindow {
  limit: LimitName;
  max: number;
  subject: string;
  /** Null for what everybody counts in. */
  userId: string | null;
  startsAt: Date;
  /** When the count begins anew; null for a run, whose count never does. */
  endsAt: Date | null;
  /** When the row may be deleted. */
  expiresAt: Date;
}

/** The counts that a call at `now` goes into, in the order in which they are counted. Pure. */
export function limitWindows(limits: CallLimits, caller: CountedCaller, now: Date): LimitWindow[] {
  return LIMIT_NAMES.flatMap((limit) => {
    const max = limits[limit];
    if (max === undefined) return [];
    const window = windowOf(limit, caller, now.getTime());
    return window ? [{ limit, max, ...window }] : [];
  });
}

type Window = Omit<LimitWindow, 'limit' | 'max'>;

function windowOf(limit: LimitName, { userId, runId }: CountedCaller, now: number): Window | null {
  switch (limit) {
    case 'callsPerRun':
      if (runId === null) return null;
      return {
        subject: `${userId} ${runId}`,
        userId,
        startsAt: RUN_START,
        endsAt: null,
        expiresAt: new Date(now + DAY_MS),
      };
    case 'callsPerMinute':
      return { subject: '', userId: null, ...clockWindow(now, MINUTE_MS) };
    case 'callsPerUserPerMinute':
      return { subject: userId, userId, ...clockWindow(now, MINUTE_MS) };
    case 'callsPerUserPerDay':
      return { subject: userId, userId, ...clockWindow(now, DAY_MS) };
  }
}

function clockWindow(
  now: number,
  length: number,
): { startsAt: Date; endsAt: Date; expiresAt: Date } {
  const start = Math.floor(now / length) * length;
  const endsAt = new Date(start + length);
  return { startsAt: new Date(start), endsAt, expiresAt: endsAt };
}
