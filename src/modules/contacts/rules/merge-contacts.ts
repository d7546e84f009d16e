import type {
  Address,
  ContactContent,
  ContactFacts,
  ExtraFact,
  Labelled,
  Phone,
} from '../contact-facts.js';
import { avatarText } from './avatar.js';
import { compact, fold } from './fold.js';
import { digitsOf } from './phone.js';
import { escapeText, joinComponents } from '../vcard/escaping.js';

/**
 * One contact with the facts of both. Lists are united; a field that only the second has is taken;
 * where both differ the first's stays the field, and the second's goes where nothing is lost: another
 * name becomes an alias, notes are put one after the other, the rest becomes an extra fact.
 */
export function mergeContacts(kept: ContactFacts, other: ContactFacts): ContactFacts {
  const content = mergeContent(kept, other);
  const uids = [...kept.mergedUids, other.uid, ...other.mergedUids];
  return { ...kept, ...content, mergedUids: [...new Set(uids)].filter((uid) => uid !== kept.uid) };
}

/** The same for contents alone; equal contents give the first as it is. */
export function mergeContent(kept: ContactContent, other: ContactContent): ContactContent {
  const extra: ExtraFact[] = [...kept.extra];
  const spare = (name: string, value: string): void => {
    const known = extra.some((fact) => fact.name === name && fact.value === value);
    if (!known) extra.push({ group: null, name, params: [], value });
  };
  const single = (name: string, mine: string | null, theirs: string | null): string | null => {
    if (mine === null) return theirs;
    if (theirs !== null && theirs !== mine) spare(name, escapeText(theirs));
    return mine;
  };
  const organization = single('ORG', kept.organization, other.organization);
  const department = single('X-DEPARTMENT', kept.department, other.department);
  const title = single('TITLE', kept.title, other.title);
  const birthday = single('X-BIRTHDAY', kept.birthday, other.birthday);
  const avatar = kept.avatar ?? other.avatar;
  if (kept.avatar && other.avatar && avatarText(kept.avatar) !== avatarText(other.avatar)) {
    spare('X-PHOTO', avatarText(other.avatar));
  }
  const aliases = unite(kept.aliases, otherNames(kept, other), exact);
  return {
    name: kept.name,
    nameParts: mergeParts(kept, other, spare),
    aliases,
    organization,
    department,
    title,
    emails: uniteLabelled(kept.emails, other.emails, ({ value }) => fold(value)),
    phones: uniteLabelled<Phone>(
      kept.phones,
      other.phones,
      ({ e164, value }) => e164 ?? `${digitsOf(value)}|${value}`,
    ),
    addresses: unite(kept.addresses, other.addresses, addressKey),
    urls: uniteLabelled(kept.urls, other.urls, ({ value }) => value),
    groups: unite(kept.groups, other.groups, exact),
    birthday,
    notes: mergeNotes(kept.notes, other.notes),
    avatar,
    extra: unite(extra, other.extra, (fact) => JSON.stringify(fact)),
  };
}

const exact = (text: string): string => text;

function otherNames(kept: ContactContent, other: ContactContent): string[] {
  return [other.name, ...other.aliases].filter((name) => name !== kept.name);
}

/** The parts of a name stay together: those of another name are no parts of this one. */
function mergeParts(
  kept: ContactContent,
  other: ContactContent,
  spare: (name: string, value: string) => void,
): ContactContent['nameParts'] {
  const mine = Object.values(kept.nameParts);
  const theirs = Object.values(other.nameParts);
  if (theirs.every((part) => part === null)) return kept.nameParts;
  if (mine.every((part) => part === null) && compact(kept.name) === compact(other.name)) {
    return other.nameParts;
  }
  if (JSON.stringify(mine) !== JSON.stringify(theirs)) {
    const { family, given, middle, prefix, suffix } = other.nameParts;
    spare('X-NAME', joinComponents([family, given, middle, prefix, suffix]));
  }
  return kept.nameParts;
}

function mergeNotes(mine: string | null, theirs: string | null): string | null {
  if (mine === null || theirs === null) return mine ?? theirs;
  return mine.includes(theirs) ? mine : `${mine}\n\n${theirs}`;
}

/** The first list, and of the second what the first has not. */
function unite<T>(mine: T[], theirs: T[], key: (value: T) => string): T[] {
  const known = new Map(mine.map((value) => [key(value), value]));
  const added = theirs.filter((value) => {
    const isNew = !known.has(key(value));
    if (isNew) known.set(key(value), value);
    return isNew;
  });
  return [...mine, ...added];
}

/** As `unite`; a value that both have under different labels keeps both labels. */
function uniteLabelled<T extends Labelled>(mine: T[], theirs: T[], key: (value: T) => string): T[] {
  const added = new Map(theirs.map((value) => [key(value), value]));
  const united = unite(mine, theirs, key);
  return united.map((value) => {
    const twin = added.get(key(value));
    if (!twin?.label || twin.label === value.label) return value;
    const labels = value.label === null ? [] : value.label.split(', ');
    const more = twin.label.split(', ').filter((label) => !labels.includes(label));
    return more.length === 0 ? value : { ...value, label: [...labels, ...more].join(', ') };
  });
}

function addressKey({ label: _label, ...lines }: Address): string {
  return JSON.stringify(Object.values(lines).map((line) => line?.trim() ?? null));
}
