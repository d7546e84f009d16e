/** Bounds of the calendar; the text lengths are characters, the last two days. */
export const TITLE_MAX = 200;
export const LOCATION_MAX = 500;
export const NOTES_MAX = 10_000;
export const NAME_MAX = 200;
export const QUERY_MAX = 200;
export const ATTENDEES_MAX = 100;
export const SHARE_MAX = 50;
export const BATCH_MAX = 50;
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;
export const WINDOW_MAX_DAYS = 366;
/** The table's constraints say the same; the window query bounds its index scan by both. */
export const TIMED_MAX_DAYS = 31;
export const ALL_DAY_MAX_DAYS = 366;
/** Also entries of `rdates` and of `exdates`. */
export { OCCURRENCES_MAX } from '../../common/time/recurrence-too-long.js';
/** Occurrences of one series that may be edited on their own. */
export const OVERRIDES_MAX = 500;
/** Series (and floating events) that one window may have to expand. */
export const EXPANDED_MAX = 1_000;
export const REMINDERS_MAX = 10;
/** Four weeks. */
export const REMINDER_MINUTES_MAX = 40_320;
export const RRULE_MAX = 500;
export const IDEMPOTENCY_KEY_MAX = 100;
/** Overlapping events that a creation lists. */
export const CONFLICTS_SHOWN = 10;
