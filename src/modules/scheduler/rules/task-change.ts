import type { ChangeScheduleBody } from '../dto/schedule-input.dto.js';
import type { ScheduledTask } from '../scheduled-task.js';
import { checkedTiming } from './task-timing.js';
import type { Timing } from './timing.js';

/** What a change makes of a task. */
export interface TaskChange {
  after: ScheduledTask;
  /** Whether the task does something else than its person has granted. */
  renewsGrant: boolean;
  /** Whether it is due at other times than before. */
  retimed: boolean;
  /** Names of the members that the body has. */
  changed: string[];
}

const TIMING_FIELDS = ['cron', 'rrule', 'timezone', 'start_at', 'end_at'] as const;

/**
 * The task after a change; what the body does not name stays. Naming cron takes rrule away, and the
 * reverse. Pure.
 * @throws StewardError as `checkedTiming`.
 */
export function changeOf(
  task: ScheduledTask,
  body: ChangeScheduleBody,
  now: Date,
  shortestSeconds: number,
): TaskChange {
  const changed = Object.entries(body).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  const retimed = TIMING_FIELDS.some((name) => body[name] !== undefined);
  const timing = retimed ? changedTiming(task, body, now, shortestSeconds) : {};
  const { title = task.title, prompt = task.prompt, missed = task.missed } = body;
  const { enabled = task.enabled } = body;
  const after = { ...task, ...timing, title, prompt, missed, enabled };
  const switchedOn = body.enabled === true && (!task.enabled || task.grantId === null);
  const acts = task.grantId !== null && (retimed || prompt !== task.prompt);
  return { after, renewsGrant: acts || switchedOn, retimed: retimed || switchedOn, changed };
}

function changedTiming(
  task: ScheduledTask,
  body: ChangeScheduleBody,
  now: Date,
  shortestSeconds: number,
): Timing {
  const kept = body.cron === undefined && body.rrule === undefined;
  const { cron, rrule } = kept ? task : body;
  const end = body.end_at === undefined ? task.endAt?.toISOString() : body.end_at;
  return checkedTiming(
    {
      cron: cron ?? undefined,
      rrule: rrule ?? undefined,
      timezone: body.timezone ?? task.timezone,
      start_at: body.start_at ?? task.startAt.toISOString(),
      end_at: end,
    },
    now,
    shortestSeconds,
  );
}
