/** Bounds of import and export. */
export const ICAL_IMPORT_MAX_BYTES = 5 * 1024 * 1024;
export const ICAL_IMPORT_MAX_EVENTS = 5_000;
/** Of one unfolded line, unless it carries a file; what a person reads is far shorter. */
export const ICAL_LINE_MAX_BYTES = 256 * 1024;
/** Of an import by URL, until the whole file is here. */
export const ICAL_FETCH_TIMEOUT_MS = 10_000;
export const ICAL_EXPORT_MAX_EVENTS = 10_000;
/** Through project_cli a file stands in the context of a model: small ones only. */
export const ICAL_TEXT_MAX_CHARS = 64 * 1024;
export const ICAL_TEXT_MAX_EVENTS = 100;
/** Problems that a report lists one by one; the rest is counted. */
export const ICAL_REPORT_MAX_ITEMS = 500;
export const ICAL_DATES_MAX = 1_000;
export const ICAL_UID_MAX = 500;
/** Of an event: lines that the calendar only carries, and what they are long together. */
export const PRESERVED_MAX_LINES = 100;
export const PRESERVED_MAX_CHARS = 16 * 1024;
/** Of one person in an event. */
export const PRESERVED_PARAMS_MAX = 500;
export const FEEDS_MAX = 20;
