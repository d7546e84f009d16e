import { Injectable } from '@nestjs/common';
import type { UserAccount } from '../auth/user-account.js';
import { UserService } from '../auth/user.service.js';
import type { CalendarUser, CalendarUsers } from '../modules/calendar/calendar.users.js';

/** Answers the calendar's questions about people from the accounts of the issuer. */
@Injectable()
export class AccountCalendarUsers implements CalendarUsers {
  constructor(private readonly users: UserService) {}

  async findByEmails(emails: string[]): Promise<CalendarUser[]> {
    return active(await this.users.findManyByEmail(emails));
  }

  async findByIds(ids: string[]): Promise<CalendarUser[]> {
    return active(await this.users.findManyByIds(ids));
  }
}

function active(accounts: UserAccount[]): CalendarUser[] {
  return accounts
    .filter((account) => account.disabledAt === null)
    .map(({ id, email, displayName }) => ({ id, email, displayName }));
}
