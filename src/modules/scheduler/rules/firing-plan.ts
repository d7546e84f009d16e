import { StewardError } from '../../../common/steward-error.js';
import { MISSED_AFTER_MS } from '../scheduler.limits.js';
import { nextTime, type Timing } from './timing.js';

const HOUR_SECONDS = 3_600;

/** What is done about times that went by while the service was not there. */
export const MISSED_POLICIES = ['run_once', 'skip'] as const;
export type MissedPolicy = (typeof MISSED_POLICIES)[number];

/** What comes of a task that is due. */
export interface FiringPlan {
  /** False: its time was missed and is skipped. */
  fires: boolean;
  /** Whether it stands for one or more times that were missed. */
  missed: boolean;
  /** When the task is due next; null: never again. */
  nextAt: Date | null;
}

/**
 * However many times were missed, one firing stands for all of them, or none. Pure.
 * @param dueAt when the task was due.
 * @param shortestSeconds times that follow this one sooner are left out, whatever the rule says.
 */
export function planFiring(
  task: Timing & { missed: MissedPolicy },
  dueAt: Date,
  now: Date,
  shortestSeconds: number,
): FiringPlan {
  const soonest = new Date(dueAt.getTime() + spacing(shortestSeconds) * 1000 - 1);
  const missed = now.getTime() - dueAt.getTime() > MISSED_AFTER_MS;
  return {
    fires: !missed || task.missed === 'run_once',
    missed,
    nextAt: nextOrNever(task, missed && now > soonest ? now : soonest),
  };
}

/** Clocks that go forward make one day of a daily rule an hour shorter. */
function spacing(shortestSeconds: number): number {
  return shortestSeconds > HOUR_SECONDS ? shortestSeconds - HOUR_SECONDS : shortestSeconds;
}

/** A rule that cannot be followed any further has come to its end. */
function nextOrNever(timing: Timing, after: Date): Date | null {
  try {
    return nextTime(timing, after);
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}
