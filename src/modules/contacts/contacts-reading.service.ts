import { Injectable } from '@nestjs/common';
import { pageStart } from '../../common/page-skip.js';
import type { ContactFacts, ContactListing } from './contact-facts.js';
import { ContactPresenter } from './contact-presenter.js';
import { CANDIDATE_ROWS_MAX } from './contact-search.query.js';
import type { ContactsCaller } from './contacts.caller.js';
import { contactNotFound } from './contacts.errors.js';
import { DUPLICATE_GROUPS_MAX, MERGE_MAX, PAGE_DEFAULT } from './contacts.limits.js';
import { ContactsRepository } from './contacts.repository.js';
import type {
  ContactPageView,
  ContactView,
  DuplicatesOutput,
  MatchedContactView,
  ReadContactsOutput,
  ResolveContactOutput,
} from './dto/contact-view.dto.js';
import type { ContactPageInput, DuplicatesQuery, ReadContactsInput } from './dto/read-input.dto.js';
import { decodeCursor, encodeCursor } from './rules/contact-cursor.js';
import { duplicateGroups } from './rules/duplicates.js';
import { lookupKeys, matchPerson, personQuery } from './rules/match.js';
import { regionOf } from './rules/region.js';
import { refuseFields, requireField } from '../../common/required-fields.js';
import { CLEAR_SCORE, resolveAmong, type Candidate } from './rules/resolve.js';

/** What a user finds in their own address book. */
@Injectable()
export class ContactsReadingService {
  constructor(
    private readonly repository: ContactsRepository,
    private readonly presenter: ContactPresenter,
  ) {}

  /**
   * `contacts.read` in each of its modes.
   * @throws INVALID_ACTION_INPUT for fields that the mode lacks or does not have; NOT_FOUND
   */
  async read(input: ReadContactsInput, caller: ContactsCaller): Promise<ReadContactsOutput> {
    const { mode } = input;
    const others = `does not go with mode ${mode}.`;
    switch (mode) {
      case 'list':
        refuseFields(input, ['query', 'contact_id'], others);
        return this.list(input, caller);
      case 'search':
        refuseFields(input, ['contact_id'], others);
        return this.list({ ...input, query: requireField(input, 'query') }, caller);
      case 'resolve':
        refuseFields(input, ['contact_id', 'cursor', 'limit', 'group'], others);
        return this.resolve(requireField(input, 'query'), caller);
      case 'contact': {
        refuseFields(input, ['query', 'cursor', 'limit', 'group'], others);
        const contact = await this.get(requireField(input, 'contact_id'), caller);
        return { items: [contact], count: 1 };
      }
      case 'duplicates':
        refuseFields(input, ['query', 'contact_id', 'group'], others);
        return this.duplicates(input, caller);
    }
  }

  /** A page of contacts by name, with `query` of those that contain every word of it. */
  async list(
    input: ContactPageInput & { query?: string },
    caller: ContactsCaller,
  ): Promise<ContactPageView> {
    const limit = input.limit ?? PAGE_DEFAULT;
    const { cursor, skip } = pageStart(input.cursor);
    const found = await this.repository.list({
      ownerId: caller.userId,
      group: input.group,
      query: input.query,
      after: cursor === undefined ? undefined : decodeCursor(cursor),
      limit: skip + limit + 1,
    });
    const page = found.slice(skip, skip + limit);
    const last = page.at(-1);
    return {
      items: await this.presenter.present(page),
      count: page.length,
      ...(found.length > skip + limit && last ? { nextCursor: encodeCursor(last) } : {}),
    };
  }

  /** Everything about one contact. @throws NOT_FOUND */
  async get(id: string, caller: ContactsCaller): Promise<ContactView> {
    return this.presenter.presentFull(await this.require(id, caller));
  }

  /** Names of contacts, in the order of their ids. @throws NOT_FOUND when one is not there. */
  async names(ids: readonly string[], caller: ContactsCaller): Promise<string[]> {
    const listings = await this.repository.listings(caller.userId, [...new Set(ids)]);
    const views = await this.presenter.present(listings);
    const names = new Map(views.map(({ id, name }) => [id, name]));
    return ids.map((id) => {
      const name = names.get(id);
      if (name === undefined) throw contactNotFound();
      return name;
    });
  }

  /** The picture that a contact holds. @throws NOT_FOUND when it holds none. */
  async picture(id: string, caller: ContactsCaller): Promise<{ mediaType: string; bytes: Buffer }> {
    const { avatar } = await this.require(id, caller);
    if (!avatar || 'url' in avatar) throw contactNotFound();
    return { mediaType: avatar.mediaType, bytes: Buffer.from(avatar.base64, 'base64') };
  }

  /**
   * Who is meant. Names, numbers and sounds come from the index; only when none of them fits, names
   * that are spelled alike.
   */
  async resolve(query: string, caller: ContactsCaller): Promise<ResolveContactOutput> {
    const person = personQuery(query, regionOf(caller.timezone, caller.locale));
    const score = (contacts: ContactListing[]): Candidate<ContactListing>[] =>
      contacts.flatMap((contact) => {
        const match = matchPerson(person, contact);
        return match ? [{ contact, match }] : [];
      });
    const rows = await this.repository.candidates(caller.userId, lookupKeys(person));
    let scored = score(rows);
    const spelling = person.sound?.full ?? person.text;
    if (scored.length === 0 && !person.phone && !person.email && spelling !== '') {
      scored = score(await this.repository.similar(caller.userId, spelling));
    }
    const resolution = resolveAmong(scored);
    if (resolution.outcome === 'none') return { items: [], count: 0, ambiguous: false };
    // Among so many that not all were looked at, only a clear match is the one.
    const incomplete = rows.length >= CANDIDATE_ROWS_MAX;
    if (resolution.outcome === 'one') {
      const { candidate } = resolution;
      const items = await this.presentMatches([candidate]);
      if (!incomplete || candidate.match.score >= CLEAR_SCORE) {
        return { items, count: 1, ambiguous: false };
      }
      return { items: [], count: 0, ambiguous: true, candidates: items };
    }
    const candidates = await this.presentMatches(resolution.candidates);
    return {
      items: [],
      count: 0,
      ambiguous: true,
      candidates,
      ...(resolution.total > candidates.length ? { candidateCount: resolution.total } : {}),
    };
  }

  /** Groups of contacts that may be one person, the oldest first. */
  async duplicates(input: DuplicatesQuery, caller: ContactsCaller): Promise<DuplicatesOutput> {
    const limit = Math.min(input.limit ?? DUPLICATE_GROUPS_MAX, DUPLICATE_GROUPS_MAX);
    const after = input.cursor === undefined ? '' : decodeCursor(input.cursor).id;
    const all = duplicateGroups(await this.repository.sharedKeys(caller.userId));
    const rest = all.filter(({ ids }) => (ids[0] ?? '') > after);
    const page = rest
      .slice(0, limit)
      .map(({ ids, reasons }) => ({ ids: ids.slice(0, MERGE_MAX + 1), reasons }));
    const listings = await this.repository.listings(
      caller.userId,
      page.flatMap(({ ids }) => ids),
    );
    const views = new Map((await this.presenter.present(listings)).map((view) => [view.id, view]));
    const groups = page.map(({ ids, reasons }) => ({
      contacts: ids.flatMap((id) => views.get(id) ?? []),
      reasons,
    }));
    const last = page.at(-1)?.ids[0];
    return {
      groups,
      count: groups.length,
      ...(rest.length > limit && last
        ? { nextCursor: encodeCursor({ sortKey: '', id: last }) }
        : {}),
    };
  }

  private async require(id: string, caller: ContactsCaller): Promise<ContactFacts> {
    const contact = await this.repository.find(caller.userId, id);
    if (!contact) throw contactNotFound();
    return contact;
  }

  private async presentMatches(
    candidates: Candidate<ContactListing>[],
  ): Promise<MatchedContactView[]> {
    const views = await this.presenter.present(candidates.map(({ contact }) => contact));
    return views.map((view, index) => {
      const match = candidates[index]?.match;
      return match ? { ...view, score: match.score, matchedBy: match.kind } : view;
    });
  }
}
