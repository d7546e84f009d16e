import type { MissedPolicy } from './rules/firing-plan.js';
import type { Timing } from './rules/timing.js';

/** Something that the agent is to do for a person at certain times. */
export interface ScheduledTask extends Timing {
  /** `sch_…` */
  id: string;
  userId: string;
  title: string;
  /** What the agent is told each time, as a message of the person. */
  prompt: string;
  missed: MissedPolicy;
  enabled: boolean;
  /** The grant under which it acts; null when it was withdrawn. */
  grantId: string | null;
  /** When it is due next; null while it is switched off, without a grant, or over. */
  nextAt: Date | null;
  /** Its conversation: every firing goes on in it. */
  threadId: string;
  /** The newest run that it started. */
  lastRunId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const TASK_STATUSES = ['active', 'disabled', 'withdrawn', 'ended'] as const;
/** `withdrawn`: it has no grant. `ended`: there is no time ahead. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What can be said of a task in a word. Pure. */
export function statusOf(task: ScheduledTask): TaskStatus {
  if (task.grantId === null) return 'withdrawn';
  if (!task.enabled) return 'disabled';
  return task.nextAt === null ? 'ended' : 'active';
}
