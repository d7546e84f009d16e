/** A user of the system, as far as a calendar needs to know one. */
export interface CalendarUser {
  id: string;
  email: string;
  displayName: string;
}

/**
 * Who the users are: a port, because accounts belong to another module. Unknown and disabled users
 * are absent from the answer; its order means nothing. Each call is one query.
 */
export interface CalendarUsers {
  /** @param emails in lower case. */
  findByEmails(emails: string[]): Promise<CalendarUser[]>;
  findByIds(ids: string[]): Promise<CalendarUser[]>;
}

/** Injection token of CalendarUsers; the composition root binds it. */
export const CALENDAR_USERS = Symbol('CALENDAR_USERS');
