/** Bounds of free/busy and of the search for a slot. */
export const AVAILABILITY_PEOPLE_MAX = 20;
export const AVAILABILITY_WINDOW_MAX_DAYS = 62;
/** Events of one person that a window may hold. */
export const BUSY_EVENTS_MAX = 5_000;
export const SLOTS_DEFAULT = 5;
export const SLOTS_MAX = 20;
export const SLOT_MINUTES_MAX = 24 * 60;
/** Slots begin on the quarter hour. */
export const SLOT_GRID_MINUTES = 15;
/** Without an end, a slot is looked for in so many days. */
export const SLOT_DEFAULT_DAYS = 14;
/** How long an event that is over still lets two people see each other's busy times. */
export const RELATION_DAYS = 90;
