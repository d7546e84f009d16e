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
