import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { assertFits, changeContact, draftContact, type ToE164 } from './contact-draft.js';
import type { ContactFacts } from './contact-facts.js';
import { ContactPresenter } from './contact-presenter.js';
import { changesBetween } from './contact-view.js';
import type { ContactsCaller } from './contacts.caller.js';
import { bookIsFull, contactNotFound, invalidField, versionConflict } from './contacts.errors.js';
import { CONTACTS_MAX } from './contacts.limits.js';
import { ContactsRepository } from './contacts.repository.js';
import type {
  CreateContactInput,
  DeleteContactInput,
  MergeContactsInput,
  UpdateContactInput,
} from './dto/contact-input.dto.js';
import type {
  CreateContactOutput,
  DeleteContactOutput,
  MergeContactsOutput,
  UpdateContactOutput,
} from './dto/write-output.dto.js';
import { mergeContacts } from './rules/merge-contacts.js';
import { toE164 } from './rules/phone.js';
import { regionOf } from './rules/region.js';
import { identityKeys } from './rules/search-keys.js';

const DUPLICATES_NAMED = 5;

/** Creating, changing, deleting and merging contacts. */
@Injectable()
export class ContactsService {
  constructor(
    private readonly repository: ContactsRepository,
    private readonly presenter: ContactPresenter,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * A new contact of the caller. Names those that share an email, a number or the name with it.
   * @throws INVALID_ACTION_INPUT, LIMIT_EXCEEDED
   */
  async create(input: CreateContactInput, caller: ContactsCaller): Promise<CreateContactOutput> {
    const content = draftContact(input, e164For(caller));
    assertFits(content);
    const now = this.clock.now();
    const id = newId('con');
    const contact: ContactFacts = {
      ...content,
      id,
      ownerId: caller.userId,
      uid: `${id}@steward`,
      mergedUids: [],
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    const alike = await this.uow.run(async () => {
      await this.repository.lockBook(caller.userId);
      if ((await this.repository.count(caller.userId)) >= CONTACTS_MAX) throw bookIsFull();
      const keys = identityKeys({ ...contact, uids: [] }).filter((key) => !key.startsWith('a:'));
      const found = await this.repository.byIdentity(caller.userId, keys, DUPLICATES_NAMED);
      await this.repository.insert([contact]);
      return found;
    });
    const view = await this.presenter.presentFull(contact);
    if (alike.length === 0) return view;
    return {
      ...view,
      possibleDuplicates: alike.map(({ id: other, name }) => ({ id: other, name })),
    };
  }

  /**
   * Changes a contact of the caller. A change that changes nothing leaves the version as it is.
   * @throws NOT_FOUND, CONFLICT (`expected_version`), INVALID_ACTION_INPUT, LIMIT_EXCEEDED
   */
  async update(input: UpdateContactInput, caller: ContactsCaller): Promise<UpdateContactOutput> {
    return this.uow.run(async () => {
      const before = await this.lock(input.contact_id, input.expected_version, caller);
      const after = { ...before, ...changeContact(before, input, e164For(caller)) };
      const changes = changesBetween(before, after);
      if (isDeepStrictEqual(before, after))
        return { ...(await this.presenter.presentFull(before)), changes };
      const changed = { ...after, version: before.version + 1, updatedAt: this.clock.now() };
      await this.repository.update(changed);
      return { ...(await this.presenter.presentFull(changed)), changes };
    });
  }

  /** Deletes a contact of the caller. @throws NOT_FOUND, CONFLICT */
  async delete(input: DeleteContactInput, caller: ContactsCaller): Promise<DeleteContactOutput> {
    return this.uow.run(async () => {
      const { id, name } = await this.lock(input.contact_id, input.expected_version, caller);
      await this.repository.delete(caller.userId, [id]);
      return { id, name, deleted: true };
    });
  }

  /**
   * Puts the facts of other contacts into one and removes those; no fact is lost (`mergeContacts`).
   * @throws NOT_FOUND when any of them is not the caller's; CONFLICT; LIMIT_EXCEEDED when the whole
   * would be larger than a contact may be.
   */
  async merge(input: MergeContactsInput, caller: ContactsCaller): Promise<MergeContactsOutput> {
    const others = [...new Set(input.other_ids)];
    if (others.includes(input.contact_id)) {
      throw invalidField('other_ids', 'must not name the contact that stays.');
    }
    return this.uow.run(async () => {
      const locked = await this.repository.lockMany(caller.userId, [input.contact_id, ...others]);
      const [kept, ...merged] = locked;
      if (!kept || locked.length !== others.length + 1) throw contactNotFound();
      assertVersion(kept, input.expected_version);
      const whole = merged.reduce(mergeContacts, kept);
      assertFits(whole);
      const changed = { ...whole, version: kept.version + 1, updatedAt: this.clock.now() };
      await this.repository.delete(caller.userId, others);
      await this.repository.update(changed);
      const view = await this.presenter.presentFull(changed);
      return { ...view, merged: merged.map(({ id, name }) => ({ id, name })) };
    });
  }

  private async lock(
    id: string,
    expected: number | undefined,
    caller: ContactsCaller,
  ): Promise<ContactFacts> {
    const [contact] = await this.repository.lockMany(caller.userId, [id]);
    if (!contact) throw contactNotFound();
    assertVersion(contact, expected);
    return contact;
  }
}

/** How the caller's numbers are read. */
export function e164For(caller: ContactsCaller): ToE164 {
  const region = regionOf(caller.timezone, caller.locale);
  return (text) => toE164(text, region);
}

function assertVersion(contact: ContactFacts, expected: number | undefined): void {
  if (expected !== undefined && expected !== contact.version) {
    throw versionConflict(expected, contact.version);
  }
}
