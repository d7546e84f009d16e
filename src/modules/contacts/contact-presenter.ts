import { Inject, Injectable } from '@nestjs/common';
import type { ContactFacts, ContactListing, Labelled } from './contact-facts.js';
import { CONTACTS_PEOPLE, type ContactsPeople, type KnownPerson } from './contacts.people.js';
import type { ContactView } from './dto/contact-view.dto.js';
import { toContactView, toFullView } from './contact-view.js';

/** Turns contacts into views; who is a user of the system comes from the port, once for all. */
@Injectable()
export class ContactPresenter {
  constructor(@Inject(CONTACTS_PEOPLE) private readonly people: ContactsPeople) {}

  async present(contacts: ContactListing[]): Promise<ContactView[]> {
    const users = await this.usersOf(contacts);
    return contacts.map((contact) => toContactView(contact, userOf(contact, users)));
  }

  async presentFull(contact: ContactFacts): Promise<ContactView> {
    return toFullView(contact, userOf(contact, await this.usersOf([contact])));
  }

  private async usersOf(contacts: { emails: Labelled[] }[]): Promise<Map<string, KnownPerson>> {
    const emails = contacts.flatMap((contact) => contact.emails.map(keyOf));
    if (emails.length === 0) return new Map();
    const people = await this.people.findByEmails([...new Set(emails)]);
    return new Map(people.map((person) => [person.email.toLowerCase(), person]));
  }
}

function keyOf({ value }: Labelled): string {
  return value.toLowerCase();
}

/** The user whom the first email that is a user's belongs to. */
function userOf(
  contact: { emails: Labelled[] },
  users: Map<string, KnownPerson>,
): KnownPerson | undefined {
  return contact.emails.map((email) => users.get(keyOf(email))).find((user) => user);
}
