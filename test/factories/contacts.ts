import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { ContactPresenter } from '../../src/modules/contacts/contact-presenter.js';
import { ContactsReadingService } from '../../src/modules/contacts/contacts-reading.service.js';
import { ContactsVcardService } from '../../src/modules/contacts/contacts-vcard.service.js';
import type { ContactsCaller } from '../../src/modules/contacts/contacts.caller.js';
import type { ContactsPeople, KnownPerson } from '../../src/modules/contacts/contacts.people.js';
import { ContactsRepository } from '../../src/modules/contacts/contacts.repository.js';
import { ContactsService } from '../../src/modules/contacts/contacts.service.js';
import type { CreateContactInput } from '../../src/modules/contacts/dto/contact-input.dto.js';
import { Contact } from '../../src/modules/contacts/entities/contact.entity.js';
import { createTestDatabase } from '../support/database.js';

/** Answers from a fixed list, as the accounts would. */
class FixedPeople implements ContactsPeople {
  async findByEmails(emails: string[]): Promise<KnownPerson[]> {
    const amy = { id: 'usr_amy', email: 'amy@example.com', displayName: 'Amy' };
    return emails.includes(amy.email) ? [amy] : [];
  }
}

/** A clock that stands still. */
class FixedClock extends Clock {
  override now(): Date {
    return new Date('2026-04-20T08:00:00Z');
  }
}

/** The services of the address book on a database of their own. */
export async function createContacts() {
  const database = await createTestDatabase();
  const dataSource = await new DataSource({
    ...dataSourceOptions({ url: database.url, poolSize: 8 }),
    entities: [Contact],
  }).initialize();
  const uow = new UnitOfWork(dataSource);
  const repository = new ContactsRepository(uow);
  const presenter = new ContactPresenter(new FixedPeople());
  const clock = new FixedClock();
  const contacts = new ContactsService(repository, presenter, uow, clock);
  const caller = (person = 'owner'): ContactsCaller => ({
    userId: `usr_${person}`,
    timezone: 'Asia/Shanghai',
    locale: 'zh-CN',
  });
  return {
    dataSource,
    uow,
    repository,
    contacts,
    reading: new ContactsReadingService(repository, presenter),
    vcards: new ContactsVcardService(repository, uow, clock),
    caller,
    /** A new contact of the owner; a text is its name. */
    add: (input: CreateContactInput | string, person = 'owner') =>
      contacts.create(typeof input === 'string' ? { name: input } : input, caller(person)),
    empty: () => dataSource.query('DELETE FROM contacts'),
    close: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

export type TestContacts = Awaited<ReturnType<typeof createContacts>>;
