import { Injectable } from '@nestjs/common';
import { UserService } from '../auth/user.service.js';
import type { ContactsPeople, KnownPerson } from '../modules/contacts/contacts.people.js';

/** Answers the address book's question who is a user from the accounts of the issuer. */
@Injectable()
export class AccountContactsPeople implements ContactsPeople {
  constructor(private readonly users: UserService) {}

  async findByEmails(emails: string[]): Promise<KnownPerson[]> {
    const accounts = await this.users.findManyByEmail(emails);
    return accounts
      .filter((account) => account.disabledAt === null)
      .map(({ id, email, displayName }) => ({ id, email, displayName }));
  }
}
