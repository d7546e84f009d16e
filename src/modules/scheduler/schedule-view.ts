import { formatInstant } from '../../common/time/zone.js';
import type { FiringView, ScheduleItem, ScheduleView } from './dto/schedule-view.dto.js';
import type { Firing } from './firing.js';
import { nextTimes } from './rules/timing.js';
import { statusOf, type ScheduledTask } from './scheduled-task.js';
import { NEXT_SHOWN } from './scheduler.limits.js';
import type { RunOutcome } from './scheduler.runs.js';

/** A task as others see it; its times have the offset of its zone. Pure. */
export function toItem(task: ScheduledTask): ScheduleItem {
  const shown = (at: Date) => formatInstant(at, task.timezone);
  return {
    id: task.id,
    title: task.title,
    prompt: task.prompt,
    status: statusOf(task),
    ...(task.cron !== null && { cron: task.cron }),
    ...(task.rrule !== null && { rrule: task.rrule }),
    timezone: task.timezone,
    startAt: shown(task.startAt),
    ...(task.endAt && { endAt: shown(task.endAt) }),
    missed: task.missed,
    enabled: task.enabled,
    profile: 'automation',
    ...(task.nextAt && { nextAt: shown(task.nextAt) }),
    threadId: task.threadId,
    createdAt: task.createdAt.toISOString(),
    updatedAt: task.updatedAt.toISOString(),
  };
}

/** The same with its next times. Pure. */
export function toView(task: ScheduledTask): ScheduleView {
  const { nextAt } = task;
  const ahead = nextAt ? nextTimes(task, new Date(nextAt.getTime() - 1), NEXT_SHOWN) : [];
  return { ...toItem(task), next: ahead.map((at) => formatInstant(at, task.timezone)) };
}

/** A firing with what became of its run, where there is one. Pure. */
export function toFiringView(
  firing: Firing,
  timezone: string,
  outcome: RunOutcome | undefined,
): FiringView {
  const errorCode = firing.errorCode ?? outcome?.errorCode ?? null;
  return {
    dueAt: formatInstant(firing.dueAt, timezone),
    status: firing.status,
    ...(firing.missed && { missed: true }),
    ...(firing.reason !== null && { reason: firing.reason }),
    ...(firing.startedAt && {
      startedAt: formatInstant(firing.startedAt, timezone),
      runId: firing.runId,
      threadId: firing.threadId,
    }),
    ...(outcome && { outcome: outcome.status }),
    ...(errorCode !== null && { errorCode }),
  };
}
