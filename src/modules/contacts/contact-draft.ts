import type { Address, ContactContent, NameParts } from './contact-facts.js';
import { NO_NAME_PARTS } from './contact-facts.js';
import { invalidField, tooMany } from './contacts.errors.js';
import { EXTRA_MAX, EXTRA_MAX_LENGTH, LIST_MAX, NOTES_MAX } from './contacts.limits.js';
import type { ContactChanges, ContactFields } from './dto/contact-input.dto.js';
import type { AddressInput, ContactLists, RemovedEntries } from './dto/contact-lists.dto.js';
import { AvatarFault, readAvatar } from './rules/avatar.js';
import { fallbackName } from './rules/fallback-name.js';
import { fold } from './rules/fold.js';
import {
  tidyAddresses,
  tidyAliases,
  tidyEmails,
  tidyLine,
  tidyLines,
  tidyPhones,
  tidyText,
  tidyUrls,
} from './rules/tidy.js';

/** A number's E.164, or null. */
export type ToE164 = (text: string) => string | null;

const EMPTY: ContactContent = {
  name: '',
  nameParts: NO_NAME_PARTS,
  aliases: [],
  organization: null,
  department: null,
  title: null,
  emails: [],
  phones: [],
  addresses: [],
  urls: [],
  groups: [],
  birthday: null,
  notes: null,
  avatar: null,
  extra: [],
};

const LISTS = ['aliases', 'emails', 'phones', 'addresses', 'urls', 'groups'] as const;

/**
 * The content of a new contact. Without a name it is called by its parts, its organization, alias,
 * email or number.
 * @throws INVALID_ACTION_INPUT when nothing names it.
 */
export function draftContact(input: ContactFields, toE164: ToE164): ContactContent {
  const content = withFields(EMPTY, input, toE164);
  const name = content.name || fallbackName(content);
  if (!name) {
    throw invalidField('name', 'is missing: a contact needs a name, or anything to call it by.');
  }
  const named = { ...content, name };
  return { ...named, aliases: tidyAliases(named) };
}

/**
 * The content after a change. An empty text removes a field; a list replaces the old one; `remove`
 * and then `add` change single entries.
 * @throws INVALID_ACTION_INPUT, LIMIT_EXCEEDED
 */
export function changeContact(
  before: ContactContent,
  change: ContactChanges,
  toE164: ToE164,
): ContactContent {
  const replaced = withFields(before, change, toE164);
  const removed = change.remove ? without(replaced, change.remove, toE164) : replaced;
  const content = change.add ? withAdded(removed, change.add, toE164) : removed;
  const name = content.name || fallbackName(content);
  if (!name) throw invalidField('name', 'must not be blank.');
  const named = { ...content, name };
  const changed = { ...named, aliases: tidyAliases(named) };
  assertFits(changed);
  return changed;
}

/** @throws LIMIT_EXCEEDED naming the field that holds more than is kept. */
export function assertFits(content: ContactContent): void {
  for (const list of LISTS) {
    if (content[list].length > LIST_MAX) {
      throw tooMany(list, `A contact has at most ${LIST_MAX} ${list}.`);
    }
  }
  if ((content.notes?.length ?? 0) > NOTES_MAX) {
    throw tooMany('notes', `Notes have at most ${NOTES_MAX} characters.`);
  }
  const { extra } = content;
  if (extra.length > EXTRA_MAX || JSON.stringify(extra).length > EXTRA_MAX_LENGTH) {
    throw tooMany(
      '',
      `A contact has at most ${EXTRA_MAX} other facts, ${EXTRA_MAX_LENGTH} characters together.`,
    );
  }
}

function withFields(before: ContactContent, input: ContactFields, toE164: ToE164): ContactContent {
  const lists = readLists(input, toE164);
  return {
    ...before,
    ...lists,
    name: input.name === undefined ? before.name : (tidyLine(input.name) ?? ''),
    nameParts: changedParts(before.nameParts, input),
    organization: changed(before.organization, input.organization),
    department: changed(before.department, input.department),
    title: changed(before.title, input.title),
    birthday: changed(before.birthday, input.birthday),
    notes: input.notes === undefined ? before.notes : tidyText(input.notes),
    avatar: input.avatar === undefined ? before.avatar : avatarOf(input.avatar),
  };
}

function changed(before: string | null, change: string | undefined): string | null {
  return change === undefined ? before : tidyLine(change);
}

function changedParts(before: NameParts, input: ContactFields): NameParts {
  return {
    family: changed(before.family, input.family_name),
    given: changed(before.given, input.given_name),
    middle: changed(before.middle, input.middle_name),
    prefix: changed(before.prefix, input.name_prefix),
    suffix: changed(before.suffix, input.name_suffix),
  };
}

/** The lists that the input has, tidy; absent ones stay absent. */
function readLists(input: ContactLists, toE164: ToE164): Partial<ContactContent> {
  const { emails, phones, addresses, urls, aliases, groups } = input;
  const labelled = (entry: { value: string; label?: string }) => ({
    value: entry.value,
    label: entry.label ?? null,
  });
  return {
    ...(emails ? { emails: tidyEmails(emails.map(labelled)) } : {}),
    ...(phones ? { phones: tidyPhones(phones.map(labelled), toE164) } : {}),
    ...(addresses ? { addresses: tidyAddresses(addresses.map(toAddress)) } : {}),
    ...(urls ? { urls: tidyUrls(urls.map(labelled)) } : {}),
    ...(aliases ? { aliases: tidyLines(aliases) } : {}),
    ...(groups ? { groups: tidyLines(groups) } : {}),
  };
}

function toAddress(input: AddressInput): Address {
  return {
    label: input.label ?? null,
    street: input.street ?? null,
    city: input.city ?? null,
    region: input.region ?? null,
    postalCode: input.postal_code ?? null,
    country: input.country ?? null,
  };
}

function withAdded(content: ContactContent, add: ContactLists, toE164: ToE164): ContactContent {
  const more = readLists(add, toE164);
  return {
    ...content,
    emails: tidyEmails([...content.emails, ...(more.emails ?? [])]),
    phones: tidyPhones([...content.phones, ...(more.phones ?? [])], (text) => {
      // What is there keeps the form that it got when it was written.
      const known = content.phones.find(({ value }) => value === text);
      return known ? known.e164 : toE164(text);
    }),
    addresses: tidyAddresses([...content.addresses, ...(more.addresses ?? [])]),
    urls: tidyUrls([...content.urls, ...(more.urls ?? [])]),
    aliases: tidyLines([...content.aliases, ...(more.aliases ?? [])]),
    groups: tidyLines([...content.groups, ...(more.groups ?? [])]),
  };
}

function without(content: ContactContent, remove: RemovedEntries, toE164: ToE164): ContactContent {
  const numberOf = (text: string): string => toE164(text) ?? text;
  return {
    ...content,
    emails: less('emails', content.emails, remove.emails, ({ value }) => fold(value), fold),
    phones: less('phones', content.phones, remove.phones, (one) => one.e164 ?? one.value, numberOf),
    urls: less('urls', content.urls, remove.urls, ({ value }) => value),
    aliases: less('aliases', content.aliases, remove.aliases, fold, fold),
    groups: less('groups', content.groups, remove.groups, fold, fold),
  };
}

/** The list without the entries named. @throws INVALID_ACTION_INPUT for one that is not in it. */
function less<T>(
  name: string,
  list: T[],
  removed: string[] | undefined,
  keyOf: (entry: T) => string,
  read: (text: string) => string = (text) => text,
): T[] {
  let rest = list;
  for (const [index, text] of (removed ?? []).entries()) {
    const key = read(tidyLine(text) ?? '');
    const kept = rest.filter((entry) => keyOf(entry) !== key);
    if (kept.length === rest.length) {
      throw invalidField(`remove.${name}.${index}`, `is not among the ${name} of the contact.`);
    }
    rest = kept;
  }
  return rest;
}

function avatarOf(text: string): ContactContent['avatar'] {
  if (text.trim() === '') return null;
  try {
    return readAvatar(text.trim());
  } catch (error) {
    if (!(error instanceof AvatarFault)) throw error;
    throw error.tooLarge
      ? tooMany('avatar', `The avatar ${error.message}`)
      : invalidField('avatar', error.message);
  }
}
