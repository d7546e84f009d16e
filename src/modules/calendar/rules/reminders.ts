export const REMINDER_METHODS = ['popup', 'email'] as const;
export type ReminderMethod = (typeof REMINDER_METHODS)[number];

/** A reminder as it is stored; all-day events count from the midnight that begins them. */
export interface Reminder {
  minutes_before: number;
  method: ReminderMethod;
}

/** Each reminder once, the earliest first. */
export function plannedReminders(
  wanted: { minutes_before: number; method?: ReminderMethod }[],
): Reminder[] {
  const byKey = new Map(
    wanted.map(({ minutes_before, method = 'popup' }) => [
      `${minutes_before} ${method}`,
      { minutes_before, method },
    ]),
  );
  return [...byKey.values()].sort((a, b) => b.minutes_before - a.minutes_before);
}
