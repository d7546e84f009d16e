import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { StewardError } from '../../common/steward-error.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { assertFits } from './contact-draft.js';
import type { ContactContent, ContactFacts } from './contact-facts.js';
import type { ContactsCaller } from './contacts.caller.js';
import { bookIsFull, contactNotFound } from './contacts.errors.js';
import { CONTACTS_MAX, EXPORT_PAGE_MAX, IMPORT_MAX_BYTES } from './contacts.limits.js';
import { ContactsRepository } from './contacts.repository.js';
import { e164For } from './contacts.service.js';
import type {
  ExportContactsInput,
  ExportContactsOutput,
  ExportFields,
  ImportContactsOutput,
  SkippedCard,
} from './dto/vcard.dto.js';
import { decodeCursor, encodeCursor } from './rules/contact-cursor.js';
import { refuseFields } from '../../common/required-fields.js';
import { mergeContent } from './rules/merge-contacts.js';
import { readFileCards, type FileCard } from './vcard/read-file.js';
import { VcardError } from './vcard/vcard-error.js';
import { writeCard } from './vcard/write-card.js';

/** Reading and writing vCard files. */
@Injectable()
export class ContactsVcardService {
  constructor(
    private readonly repository: ContactsRepository,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Imports a whole file in one transaction, or nothing of it. A card whose UID is known completes
   * that contact (`mergeContent`), so a second import of a file changes nothing.
   * @throws INVALID_ACTION_INPUT or LIMIT_EXCEEDED with the line and the reason.
   */
  async import(file: string, caller: ContactsCaller): Promise<ImportContactsOutput> {
    if (Buffer.byteLength(file) > IMPORT_MAX_BYTES) {
      throw new StewardError(
        'LIMIT_EXCEEDED',
        `A vCard file has at most ${IMPORT_MAX_BYTES} bytes.`,
      );
    }
    try {
      const { cards, skipped } = distinctCards(readFileCards(file, e164For(caller)));
      const counts = await this.uow.run(() => this.store(cards, caller));
      return { count: cards.length, ...counts, skipped };
    } catch (error) {
      throw error instanceof VcardError ? refusal(error) : error;
    }
  }

  /**
   * A page of contacts as vCards.
   * @throws NOT_FOUND when one of `contact_ids` is not the caller's.
   */
  async export(input: ExportContactsInput, caller: ContactsCaller): Promise<ExportContactsOutput> {
    const version = input.version ?? '4.0';
    if (input.contact_ids) {
      refuseFields(input, ['group', 'cursor', 'limit'], 'does not go with contact_ids.');
      const ids = [...new Set(input.contact_ids)];
      const contacts = await this.repository.findMany(caller.userId, ids);
      if (contacts.length !== ids.length) throw contactNotFound();
      return { vcard: contacts.map((one) => writeCard(one, version)).join(''), count: ids.length };
    }
    const limit = input.limit ?? EXPORT_PAGE_MAX;
    const { contacts, next } = await this.page(input, caller, limit, input.cursor);
    return {
      vcard: contacts.map((one) => writeCard(one, version)).join(''),
      count: contacts.length,
      ...(next === undefined ? {} : { nextCursor: next }),
    };
  }

  /** All contacts, a piece of the file at a time. */
  async *exportAll(input: ExportFields, caller: ContactsCaller): AsyncGenerator<string> {
    let cursor: string | undefined;
    do {
      const { contacts, next } = await this.page(input, caller, EXPORT_PAGE_MAX, cursor);
      yield contacts.map((one) => writeCard(one, input.version ?? '4.0')).join('');
      cursor = next;
    } while (cursor !== undefined);
  }

  private async page(
    { group }: ExportFields,
    caller: ContactsCaller,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ contacts: ContactFacts[]; next: string | undefined }> {
    const listed = await this.repository.list({
      ownerId: caller.userId,
      group,
      after: cursor === undefined ? undefined : decodeCursor(cursor),
      limit: limit + 1,
    });
    const page = listed.slice(0, limit);
    const last = page.at(-1);
    return {
      contacts: await this.repository.findMany(
        caller.userId,
        page.map(({ id }) => id),
      ),
      next: listed.length > limit && last ? encodeCursor(last) : undefined,
    };
  }

  private async store(
    cards: FileCard[],
    caller: ContactsCaller,
  ): Promise<Pick<ImportContactsOutput, 'created' | 'updated' | 'unchanged'>> {
    // Two imports of one file at once: the second finds what the first made.
    await this.repository.lockBook(caller.userId);
    const known = await this.known(cards, caller);
    const fresh = cards.filter(({ uid }) => !known.has(uid));
    if ((await this.repository.count(caller.userId)) + fresh.length > CONTACTS_MAX) {
      throw bookIsFull();
    }
    const now = this.clock.now();
    await this.repository.insert(fresh.map((card) => newContact(card, caller.userId, now)));
    // Two cards may complete one contact, which merged theirs before.
    const completed = new Map<string, ContactFacts>();
    const touched = new Set<string>();
    for (const card of cards) {
      const contact = known.get(card.uid);
      if (!contact) continue;
      const before = completed.get(contact.id) ?? contact;
      const after = { ...before, ...fitting(mergeContent(before, card.content), card) };
      touched.add(contact.id);
      if (!isDeepStrictEqual(before, after)) completed.set(contact.id, after);
    }
    for (const contact of completed.values()) {
      await this.repository.update({ ...contact, version: contact.version + 1, updatedAt: now });
    }
    return {
      created: fresh.length,
      updated: completed.size,
      unchanged: touched.size - completed.size,
    };
  }

  /** Contacts by the UIDs of the cards that they already are, locked. */
  private async known(
    cards: FileCard[],
    caller: ContactsCaller,
  ): Promise<Map<string, ContactFacts>> {
    const keys = cards.map(({ uid }) => `u:${uid}`);
    const rows = await this.repository.byIdentity(caller.userId, keys, CONTACTS_MAX);
    const contacts = await this.repository.lockMany(
      caller.userId,
      rows.map(({ id }) => id),
    );
    return new Map(
      contacts.flatMap((contact) =>
        [contact.uid, ...contact.mergedUids].map((uid): [string, ContactFacts] => [uid, contact]),
      ),
    );
  }
}

/** One card for each UID; lists of people are no contacts. */
function distinctCards(cards: FileCard[]): { cards: FileCard[]; skipped: SkippedCard[] } {
  const distinct = new Map<string, FileCard>();
  const skipped: SkippedCard[] = [];
  for (const card of cards) {
    const earlier = distinct.get(card.uid);
    if (card.isGroup) {
      skipped.push({ line: card.line, reason: 'is a group of contacts, not a contact.' });
    } else if (earlier) {
      const content = fitting(mergeContent(earlier.content, card.content), card);
      distinct.set(card.uid, { ...earlier, content });
    } else distinct.set(card.uid, card);
  }
  return { cards: [...distinct.values()], skipped };
}

/** @throws VcardError at the card with which the contact becomes too large. */
function fitting(content: ContactContent, card: FileCard): ContactContent {
  try {
    assertFits(content);
    return content;
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    throw new VcardError(
      card.line,
      `completes a contact that is too large: ${error.message}`,
      true,
    );
  }
}

function newContact(card: FileCard, ownerId: string, now: Date): ContactFacts {
  return {
    ...card.content,
    id: newId('con'),
    ownerId,
    uid: card.uid,
    mergedUids: [],
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

function refusal({ line, reason, limit }: VcardError): StewardError {
  return new StewardError(
    limit ? 'LIMIT_EXCEEDED' : 'INVALID_ACTION_INPUT',
    `Nothing was imported. Line ${line} ${reason}`,
    { issues: [{ path: `vcard.${line}`, message: reason }] },
  );
}
