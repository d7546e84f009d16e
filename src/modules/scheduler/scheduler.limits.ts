/** Bounds of scheduled tasks; lengths are characters (UTF-16 units). */
export const TITLE_MAX = 200;
export const PROMPT_MAX = 4_000;
export const CRON_MAX = 100;
export const RRULE_MAX = 500;
/** Scheduled tasks of one user. */
export const TASKS_MAX = 50;
export const PAGE_DEFAULT = 20;
export const PAGE_MAX = 100;
/** Next times that are shown of a task. */
export const NEXT_SHOWN = 5;
/** How far ahead a time is looked for: later is as good as never. */
export const HORIZON_DAYS = 3_660;
/** A time that is this late was missed: the service was not there. */
export const MISSED_AFTER_MS = 120_000;
/** Days for which the history of a task is kept. */
export const HISTORY_DAYS = 90;
