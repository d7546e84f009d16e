import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ContactFacts, ContactListing } from './contact-facts.js';
import { toFacts, toListing, toRow } from './contact-row.js';
import {
  SHARED_KEYS_SQL,
  candidatesStatement,
  contactListStatement,
  similarStatement,
  type ContactListQuery,
  type Statement,
} from './contact-search.query.js';
import { Contact } from './entities/contact.entity.js';
import type { SharedKey } from './rules/duplicates.js';

/** Least likeness (pg_trgm word_similarity) of a name that may have been meant. */
const SIMILARITY_MIN = '0.2';
const SHARED_KEYS_MAX = 5_000;
const INSERT_CHUNK = 200;

/** Rows of `contacts`. Every method takes the owner: another's contact is not found. */
@Injectable()
export class ContactsRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Contacts by name, at most `limit`. */
  async list(query: ContactListQuery): Promise<ContactListing[]> {
    const statement = contactListStatement(query);
    return statement ? this.listings(query.ownerId, await this.ids(statement)) : [];
  }

  async candidates(
    ownerId: string,
    keys: { identity: string[]; weak: string[]; part: string[] },
  ): Promise<ContactListing[]> {
    return this.listings(ownerId, await this.ids(candidatesStatement(ownerId, keys)));
  }

  /** Contacts whose names look like `text` (folded), the likest first. */
  async similar(ownerId: string, text: string): Promise<ContactListing[]> {
    return this.uow.run(async () => {
      await this.uow.manager.query(
        `SELECT set_config('pg_trgm.word_similarity_threshold', $1, true)`,
        [SIMILARITY_MIN],
      );
      return this.listings(ownerId, await this.ids(similarStatement(ownerId, text)));
    });
  }

  async sharedKeys(ownerId: string): Promise<SharedKey[]> {
    return this.uow.manager.query<SharedKey[]>(SHARED_KEYS_SQL, [ownerId, SHARED_KEYS_MAX]);
  }

  async find(ownerId: string, id: string): Promise<ContactFacts | null> {
    const [contact] = await this.findMany(ownerId, [id]);
    return contact ?? null;
  }

  /** Contacts with everything, in the order of `ids`; unknown ones are absent. */
  async findMany(ownerId: string, ids: string[]): Promise<ContactFacts[]> {
    if (ids.length === 0) return [];
    const rows = await this.full(ownerId, ids).getMany();
    return inOrder(rows.map(toFacts), ids);
  }

  /** Contacts as lists show them, in the order of `ids`. */
  async listings(ownerId: string, ids: string[]): Promise<ContactListing[]> {
    if (ids.length === 0) return [];
    const rows = await this.uow.manager.find(Contact, { where: { ownerId, id: In(ids) } });
    return inOrder(rows.map(toListing), ids);
  }

  /** As `findMany`; keeps others from changing them until the transaction ends. */
  async lockMany(ownerId: string, ids: string[]): Promise<ContactFacts[]> {
    if (ids.length === 0) return [];
    // In one order everywhere, so that two merges do not wait for each other.
    const rows = await this.full(ownerId, ids)
      .orderBy('contact.id')
      .setLock('pessimistic_write')
      .getMany();
    return inOrder(rows.map(toFacts), ids);
  }

  /** Ids and names of contacts that one of the keys names. */
  async byIdentity(
    ownerId: string,
    keys: string[],
    limit: number,
  ): Promise<{ id: string; name: string }[]> {
    if (keys.length === 0) return [];
    return this.uow.manager.query(
      `SELECT id, name FROM contacts
        WHERE owner_id = $1 AND identity_keys && $2::text[] ORDER BY id LIMIT $3`,
      [ownerId, keys, limit],
    );
  }

  /**
   * Until the transaction ends nobody else adds to the book: a count of it stays true, and a second
   * import of one file finds what the first made.
   */
  async lockBook(ownerId: string): Promise<void> {
    await this.uow.manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `contacts ${ownerId}`,
    ]);
  }

  /** How many there are; take `lockBook` before a decision about it. */
  async count(ownerId: string): Promise<number> {
    return this.uow.manager.count(Contact, { where: { ownerId } });
  }

  async insert(contacts: ContactFacts[]): Promise<void> {
    for (let start = 0; start < contacts.length; start += INSERT_CHUNK) {
      const rows = contacts.slice(start, start + INSERT_CHUNK).map(toRow);
      await this.uow.manager.insert(Contact, rows);
    }
  }

  /** Writes every column; the caller holds the lock. */
  async update(contact: ContactFacts): Promise<void> {
    const { id, ownerId, ...columns } = toRow(contact);
    await this.uow.manager.update(Contact, { id, ownerId }, columns);
  }

  async delete(ownerId: string, ids: string[]): Promise<void> {
    await this.uow.manager.delete(Contact, { ownerId, id: In(ids) });
  }

  private async ids({ sql, parameters }: Statement): Promise<string[]> {
    const rows = await this.uow.manager.query<{ id: string }[]>(sql, parameters);
    return rows.map((row) => row.id);
  }

  private full(ownerId: string, ids: string[]) {
    return this.uow.manager
      .createQueryBuilder(Contact, 'contact')
      .addSelect(['contact.avatarData', 'contact.extra'])
      .where('contact.ownerId = :ownerId AND contact.id = ANY(:ids)', { ownerId, ids });
  }
}

function inOrder<T extends { id: string }>(contacts: T[], ids: string[]): T[] {
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
