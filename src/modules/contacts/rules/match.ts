import { distance } from 'fastest-levenshtein';
import type { CountryCode } from 'libphonenumber-js/min';
import type { Nameable } from '../contact-facts.js';
import { compact, fold, isHan, words } from './fold.js';
import { addressedAs, surnamesOf, type Addressed } from './honorific.js';
import { digitsOf, isPhoneLike, phoneSuffix, sameLine, toE164 } from './phone.js';
import { soundOf, type Sound } from './pinyin.js';
import { grams, localPart, namesOf, phoneDigits, westernInitials } from './search-keys.js';

/** How a contact was recognised. */
export const MATCH_KINDS = [
  'email',
  'phone',
  'name',
  'alias',
  'words',
  'form_of_address',
  'pinyin',
  'initials',
  'homophone',
  'part',
  'similar',
] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

export interface Match {
  /** 0 (nothing in common) to 100. */
  score: number;
  kind: MatchKind;
}

/** A query taken apart once, for however many contacts it is compared with. */
export interface PersonQuery {
  text: string;
  compact: string;
  words: string[];
  email: string | null;
  phone: { e164: string | null; digits: string } | null;
  addressed: Addressed[];
  /** Latin letters alone: may be pinyin or initials. */
  latin: string | null;
  sound: Sound | null;
}

export function personQuery(query: string, region: CountryCode): PersonQuery {
  const text = fold(query);
  const letters = compact(query);
  return {
    text,
    compact: letters,
    words: words(query),
    email: text.includes('@') && !text.includes(' ') ? text.replace(/^mailto:|[<>]/g, '') : null,
    phone: isPhoneLike(query) ? { e164: toE164(query, region), digits: digitsOf(query) } : null,
    addressed: addressedAs(query),
    latin: /^[a-z]+$/.test(letters) && !text.includes('@') ? letters : null,
    sound: soundOf(query),
  };
}

/** Keys that the index is asked for: strong ones name a contact, weak ones lead to it. */
export function lookupKeys(query: PersonQuery): {
  identity: string[];
  weak: string[];
  part: string[];
} {
  const identity = [`n:${query.compact}`, `a:${query.compact}`];
  const weak = query.words.flatMap((word) => [`w:${word}`, `s:${word}`]);
  if (query.email) {
    identity.push(`e:${query.email}`);
    weak.push(`l:${localPart(query.email)}`);
  }
  if (query.phone) {
    identity.push(
      `t:${query.phone.digits}`,
      ...(query.phone.e164 ? [`t:${query.phone.e164}`] : []),
    );
    weak.push(`d:${phoneSuffix(query.phone.digits)}`);
  }
  for (const { name } of query.addressed) weak.push(`s:${name}`, `w:${name}`);
  if (query.latin) {
    // Syllables written apart, `wang xiaoming`, are one word here.
    for (const kind of ['p', 'i', 'l', 's']) weak.push(`${kind}:${query.latin}`);
  }
  if (query.sound) weak.push(`p:${query.sound.full}`);
  const part = isHan(query.compact) ? partGrams(query.compact) : [];
  return { identity, weak: [...new Set(weak)], part };
}

function partGrams(text: string): string[] {
  const all = grams(text);
  const pairs = all.filter((gram) => [...gram].length === 2);
  return (pairs.length > 0 ? pairs : all).map((gram) => `m:${gram}`);
}

/**
 * How well a contact fits the query: the best of these.
 *
 * | 100 | the whole email, or the whole number |
 * | 97  | the whole name, or an alias |
 * | 95  | surname and form of address, and the job title says the same (王总: 总经理) |
 * | 92  | the number without its prefixes |
 * | 90  | all words of the name in another order |
 * | 85  | words of the name and of the organization |
 * | 80  | one name of several (Amy), the given name, surname and form of address |
 * | 76  | the pinyin of a name |
 * | 72  | the same sound in other characters |
 * | 70  | the beginning of an email, its local part |
 * | 68  | the initials (wxm, ac) |
 * | 62  | the surname alone |
 * | 58  | a part of a name |
 * | ≤55 | a similar spelling: 65 × similarity, from 0.55 on, of the nearest name |
 */
export function matchPerson(query: PersonQuery, contact: Nameable): Match | null {
  const found: Match[] = contactPoints(query, contact);
  // An email is no name, whatever its letters spell.
  if (!query.email) {
    found.push(...byName(query, contact), ...byAddress(query, contact), ...bySound(query, contact));
  }
  if (found.length === 0) found.push(...bySpelling(query, contact));
  return found.reduce<Match | null>(
    (best, one) => (best && best.score >= one.score ? best : one),
    null,
  );
}

function contactPoints(query: PersonQuery, contact: Nameable): Match[] {
  const found: Match[] = [];
  const { email, phone } = query;
  for (const { value } of contact.emails) {
    const known = fold(value);
    if (email === known) found.push({ score: 100, kind: 'email' });
    else if (email && email.length > 2 && known.startsWith(email.replace(/\.{3}$|…$/u, ''))) {
      found.push({ score: 70, kind: 'email' });
    } else if (query.latin && query.latin === localPart(known)) {
      found.push({ score: 70, kind: 'email' });
    }
  }
  if (!phone) return found;
  for (const known of contact.phones) {
    const digits = phoneDigits(known);
    if ((phone.e164 && phone.e164 === known.e164) || digits.includes(phone.digits)) {
      found.push({ score: 100, kind: 'phone' });
    } else if (digits.some((one) => sameLine(one, phone.digits))) {
      found.push({ score: 92, kind: 'phone' });
    }
  }
  return found;
}

function byName(query: PersonQuery, contact: Nameable): Match[] {
  const found: Match[] = [];
  const wanted = query.compact;
  if (wanted === '') return found;
  if (compact(contact.name) === wanted) found.push({ score: 97, kind: 'name' });
  if (contact.aliases.some((alias) => compact(alias) === wanted)) {
    found.push({ score: 97, kind: 'alias' });
  }
  const names = namesOf(contact);
  if (names.some((name) => compact(name) === wanted)) found.push({ score: 80, kind: 'name' });
  const surnames = surnamesOf(contact);
  if (surnames.some((surname) => surname === wanted || soundOf(surname)?.full === wanted)) {
    found.push({ score: 62, kind: 'name' });
  }

  const known = new Set(names.flatMap(words));
  const around = new Set([
    ...known,
    ...words(`${contact.organization ?? ''} ${contact.title ?? ''}`),
  ]);
  const inName = query.words.filter((word) => known.has(word));
  if (query.words.length > 1 && inName.length > 0) {
    if (inName.length === query.words.length) found.push({ score: 90, kind: 'words' });
    else if (query.words.every((word) => around.has(word)))
      found.push({ score: 85, kind: 'words' });
  }
  const [word] = query.words;
  if (query.words.length === 1 && word && known.has(word) && !surnames.includes(word)) {
    found.push({ score: 80, kind: 'words' });
  }
  const long = isHan(wanted) || wanted.length >= 3;
  if (long && names.some((name) => hasPart(name, wanted))) found.push({ score: 58, kind: 'part' });
  return found;
}

/** Chinese names contain the part anywhere, others begin a word with it. */
function hasPart(name: string, wanted: string): boolean {
  if (isHan(wanted)) return compact(name).includes(wanted);
  return words(name).some((word) => word.startsWith(wanted));
}

function byAddress(query: PersonQuery, contact: Nameable): Match[] {
  const surnames = surnamesOf(contact);
  return query.addressed.flatMap(({ name, role }): Match[] => {
    const names = namesOf(contact);
    const isSurname =
      surnames.includes(name) || surnames.some((surname) => soundOf(surname)?.full === name);
    const isName =
      isSurname || names.some((known) => compact(known) === name || words(known).includes(name));
    if (!isName) return [];
    const job = fold(
      `${contact.title ?? ''} ${contact.nameParts.prefix ?? ''} ${contact.nameParts.suffix ?? ''}`,
    );
    const fits = role?.test(job) ?? false;
    return [{ score: fits ? 95 : 80, kind: 'form_of_address' }];
  });
}

function bySound(query: PersonQuery, contact: Nameable): Match[] {
  const { latin, sound } = query;
  if (!latin && !sound) return [];
  const found: Match[] = [];
  for (const name of namesOf(contact)) {
    const known = soundOf(name);
    if (!known) continue;
    if (latin && known.full === latin) found.push({ score: 76, kind: 'pinyin' });
    if (latin && latin.length > 1 && known.initials === latin) {
      found.push({ score: 68, kind: 'initials' });
    }
    if (sound && sound.full === known.full) found.push({ score: 72, kind: 'homophone' });
  }
  if (latin && westernInitials(contact.name).includes(latin)) {
    found.push({ score: 68, kind: 'initials' });
  }
  return found;
}

const SIMILAR_MIN = 0.55;

function bySpelling(query: PersonQuery, contact: Nameable): Match[] {
  const wanted = query.compact;
  if ([...wanted].length < 3 || query.phone || query.email) return [];
  const spellings = namesOf(contact).flatMap((name) => [
    compact(name),
    ...words(name),
    soundOf(name)?.full ?? '',
  ]);
  const best = Math.max(
    0,
    ...spellings.filter((one) => one !== '').map((one) => likeness(wanted, one)),
  );
  return best >= SIMILAR_MIN
    ? [{ score: Math.min(55, Math.round(65 * best)), kind: 'similar' }]
    : [];
}

/** 1 for equal texts, 0 for nothing in common; two letters swapped count as one slip. */
function likeness(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  const steps = distance(one, other);
  const swapped = steps === 2 && one.length === other.length && isSwap(one, other);
  return 1 - (swapped ? 1 : steps) / longest;
}

function isSwap(one: string, other: string): boolean {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return one[at] === other[at + 1] && one[at + 1] === other[at];
}
