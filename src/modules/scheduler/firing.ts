import type { ErrorCode } from '../../common/error-codes.js';

export const FIRING_STATUSES = ['pending', 'started', 'skipped', 'failed'] as const;
/** `pending`: a process is about to create the run. `started`: there is a run. */
export type FiringStatus = (typeof FIRING_STATUSES)[number];

export const SKIP_REASONS = [
  'missed',
  'previous_run_active',
  'switched_off',
  'thread_busy',
  'grant_withdrawn',
  'account_disabled',
] as const;
/** Why a time came to nothing. */
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What became of one time of a task. */
export interface Firing {
  taskId: string;
  dueAt: Date;
  status: FiringStatus;
  /** Whether it stands for times that were missed. */
  missed: boolean;
  reason: SkipReason | null;
  errorCode: ErrorCode | null;
  grantId: string;
  /** Id that its run has or would have. */
  runId: string;
  threadId: string;
  /** How often a process has tried to create the run. */
  attempts: number;
  /** Until then another process leaves a pending one alone; null when it is not pending. */
  leaseUntil: Date | null;
  createdAt: Date;
  startedAt: Date | null;
}

/** A firing that this process is to carry out, with what it needs of its task. */
export interface ClaimedFiring extends Firing {
  userId: string;
  prompt: string;
  timezone: string;
  /** Whether the task is still switched on. */
  enabled: boolean;
  /** The run of the time before. */
  previousRunId: string | null;
}

/** How a firing ends. */
export type FiringEnd =
  | { status: 'started' }
  | { status: 'skipped'; reason: SkipReason }
  | { status: 'failed'; errorCode: ErrorCode };
