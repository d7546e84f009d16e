import type { ContactFacts, ExtraFact, Labelled } from '../contact-facts.js';
import { avatarText } from '../rules/avatar.js';
import { splitChineseName } from '../rules/honorific.js';
import { uriAsBinary } from './binary.js';
import { escapeText, joinComponents } from './escaping.js';
import { typesOfLabel } from './labels.js';
import { DERIVED } from './structured.js';

export const VCARD_VERSIONS = ['3.0', '4.0'] as const;
export type VcardVersion = (typeof VCARD_VERSIONS)[number];

type Params = [string, string[]][];

/** The contact as a vCard (RFC 2426 or RFC 6350), lines folded at 75 bytes, CRLF. */
export function writeCard(contact: ContactFacts, version: VcardVersion): string {
  const writer = new CardWriter(version, contact.extra);
  writer.add('BEGIN', [], 'VCARD');
  writer.add('VERSION', [], version);
  writer.add('PRODID', [], '-//Steward//Contacts//EN');
  writer.add('UID', [], escapeText(contact.uid));
  writer.add('FN', [], escapeText(contact.name));
  writer.add(...nameOf(contact));
  writer.addList('NICKNAME', contact.aliases);
  if (contact.organization !== null || contact.department !== null) {
    const units = contact.department === null ? [] : [contact.department];
    writer.add('ORG', [], joinComponents([contact.organization, ...units]));
  }
  if (contact.title !== null) writer.add('TITLE', [], escapeText(contact.title));
  for (const email of contact.emails) writer.addLabelled('EMAIL', email);
  for (const phone of contact.phones) writer.addLabelled('TEL', phone);
  for (const { label, street, city, region, postalCode, country } of contact.addresses) {
    const value = joinComponents([null, null, street, city, region, postalCode, country]);
    writer.addLabelled('ADR', { label, value }, (text) => text);
  }
  // Addresses of the web are no text: their commas and semicolons stay.
  for (const url of contact.urls) {
    writer.addLabelled('URL', url, (text) => text.replaceAll('\\', '\\\\'));
  }
  if (contact.birthday !== null) writer.add(...birthdayOf(contact.birthday, version));
  writer.addList('CATEGORIES', contact.groups);
  if (contact.notes !== null) writer.add('NOTE', [], escapeText(contact.notes));
  if (contact.avatar) {
    const value = avatarText(contact.avatar);
    if ('url' in contact.avatar && version === '3.0')
      writer.add('PHOTO', [['VALUE', ['uri']]], value);
    else writer.addExtra({ group: null, name: 'PHOTO', params: [], value });
  }
  for (const fact of contact.extra) writer.addExtra(fact);
  writer.add('REV', [], revision(contact.updatedAt));
  writer.add('END', [], 'VCARD');
  return writer.text();
}

/** N is required by 3.0 and by many readers of 4.0: where nobody gave one, it is guessed and says so. */
function nameOf(contact: ContactFacts): [string, Params, string] {
  const { family, given, middle, prefix, suffix } = contact.nameParts;
  if (family ?? given ?? middle ?? prefix ?? suffix) {
    return ['N', [], joinComponents([family, given, middle, prefix, suffix])];
  }
  const chinese = splitChineseName(contact.name);
  const words = contact.name.split(' ');
  const [last, first] = chinese
    ? [chinese.surname, chinese.given]
    : words.length > 1
      ? [words.at(-1) ?? '', words.slice(0, -1).join(' ')]
      : ['', contact.name];
  return ['N', [[DERIVED, ['TRUE']]], joinComponents([last, first, null, null, null])];
}

function birthdayOf(birthday: string, version: VcardVersion): [string, Params, string] {
  if (version === '4.0')
    return [
      'BDAY',
      [],
      birthday.startsWith('--')
        ? `--${birthday.slice(2).replace('-', '')}`
        : birthday.replaceAll('-', ''),
    ];
  if (!birthday.startsWith('--')) return ['BDAY', [], birthday];
  // A leap year, which has every day; the parameter is the one that phones understand.
  return ['BDAY', [['X-APPLE-OMIT-YEAR', ['1604']]], `1604-${birthday.slice(2)}`];
}

function revision(updatedAt: Date): string {
  return updatedAt.toISOString().replace(/[-:]|\.\d+/g, '');
}

class CardWriter {
  private readonly lines: string[] = [];
  private readonly groups: Set<string>;
  private labels = 0;

  constructor(
    private readonly version: VcardVersion,
    extra: ExtraFact[],
  ) {
    this.groups = new Set(extra.map(({ group }) => group?.toLowerCase() ?? ''));
  }

  add(name: string, params: Params, value: string, group: string | null = null): void {
    const start = group === null ? name : `${group}.${name}`;
    const written = params
      .filter(([, values]) => values.length > 0)
      .map(([key, values]) => `;${key}=${values.map((text) => this.paramText(text)).join(',')}`);
    this.lines.push(foldLine(`${start}${written.join('')}:${value}`));
  }

  addList(name: string, values: string[]): void {
    if (values.length > 0) this.add(name, [], values.map(escapeText).join(','));
  }

  /** A value with its label: as TYPE where vCard has a word for it, else as X-ABLabel. */
  addLabelled(name: string, { value, label }: Labelled, escape = escapeText): void {
    const text = escape(value);
    if (label === null) return this.add(name, [], text);
    const types = typesOfLabel(label);
    if (types) return this.add(name, [['TYPE', types]], text);
    const group = this.freeGroup();
    this.add(name, [], text, group);
    this.add('X-ABLABEL', [], escapeText(label), group);
  }

  addExtra(fact: ExtraFact): void {
    const { group, name, params, value } = this.version === '3.0' ? uriAsBinary(fact) : fact;
    this.add(name, params, value, group);
  }

  text(): string {
    return `${this.lines.join('\r\n')}\r\n`;
  }

  private freeGroup(): string {
    let group: string;
    do {
      this.labels += 1;
      group = `label${this.labels}`;
    } while (this.groups.has(group));
    return group;
  }

  private paramText(text: string): string {
    const plain = this.version === '4.0' ? text.replaceAll('^', '^^') : text;
    return /[;:,\s]/.test(plain) ? `"${plain}"` : plain;
  }
}

/** Folds at 75 bytes, never inside a character (RFC 6350 §3.2). */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= 75) return line;
  const folded: string[] = [];
  let part = '';
  let bytes = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (bytes + size > 75) {
      folded.push(part);
      part = ' ';
      bytes = 1;
    }
    part += letter;
    bytes += size;
  }
  folded.push(part);
  return folded.join('\r\n');
}
