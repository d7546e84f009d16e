import { NO_NAME_PARTS, type ContactContent, type ExtraFact } from '../contact-facts.js';
import {
  EXTRA_MAX,
  EXTRA_MAX_LENGTH,
  LABEL_MAX,
  LIST_MAX,
  NAME_MAX,
  NOTES_MAX,
  VALUE_MAX,
} from '../contacts.limits.js';
import { readBirthday } from '../rules/birthday.js';
import { fallbackName } from '../rules/fallback-name.js';
import {
  tidyAddresses,
  tidyAliases,
  tidyEmails,
  tidyLine,
  tidyLines,
  tidyPhones,
  tidyText,
  tidyUrls,
} from '../rules/tidy.js';
import { binaryAsUri, readPhoto } from './binary.js';
import { paramOf, type ContentLine } from './content-lines.js';
import { splitValue, unescapeText } from './escaping.js';
import { isPreferred, labelOfText, labelOfTypes } from './labels.js';
import { DERIVED, readAddress, withoutScheme } from './structured.js';
import type { RawCard } from './split-cards.js';
import { VcardError } from './vcard-error.js';

/** A card as contact facts. */
export interface ParsedCard {
  /** Line of its BEGIN. */
  line: number;
  /** Null when the card has none. */
  uid: string | null;
  /** Distribution lists are no contacts. */
  isGroup: boolean;
  content: ContactContent;
}

/** Properties about the card itself, which a new export writes anew. */
const ABOUT_CARD = new Set(['PRODID', 'REV', 'PROFILE']);

/**
 * Reads one card. What the address book has no field for is kept as an extra fact.
 * @throws VcardError for values past the limits, and for a card that names nobody.
 */
export function readCard(card: RawCard, toE164: (text: string) => string | null): ParsedCard {
  const reader = new CardReader(card);
  for (const property of card.properties) reader.read(property);
  return reader.finish(toE164);
}

class CardReader {
  private readonly content: ContactContent = {
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
  private uid: string | null = null;
  private isGroup = false;
  private hasParts = false;
  private readonly labels: Map<string, string>;

  constructor(private readonly card: RawCard) {
    this.labels = labelsOf(card.properties);
  }

  read(property: ContentLine): void {
    if (ABOUT_CARD.has(property.name) || !this.isTaken(property)) return;
    const { content } = this;
    switch (property.name) {
      case 'FN':
        return this.readName(property);
      case 'N':
        return this.readParts(property);
      case 'NICKNAME':
        return this.addTo(content.aliases, property, NAME_MAX);
      case 'CATEGORIES':
        return this.addTo(content.groups, property, LABEL_MAX);
      case 'ORG':
        return this.readOrganization(property);
      case 'TITLE':
        if (content.title !== null) return this.keep(property);
        content.title = tidyLine(this.text(property, VALUE_MAX));
        return;
      case 'EMAIL':
      case 'TEL':
      case 'URL':
        return this.readValue(property);
      case 'ADR':
        return this.addSorted(content.addresses, property, {
          ...readAddress(property, VALUE_MAX),
          label: this.labelOf(property),
        });
      case 'BDAY':
        return this.readBirthday(property);
      case 'NOTE':
        return this.readNote(property);
      case 'PHOTO':
        return this.readPicture(property);
      case 'UID':
        this.uid ??= tidyLine(this.text(property, VALUE_MAX));
        return;
      case 'KIND':
      case 'X-ADDRESSBOOKSERVER-KIND':
        return this.readKind(property);
      default:
        return this.keep(property);
    }
  }

  finish(toE164: (text: string) => string | null): ParsedCard {
    const { content, card } = this;
    const name = content.name || fallbackName(content);
    if (!name) throw new VcardError(card.line, 'begins a card without a name.');
    const named = { ...content, name };
    const tidied: ContactContent = {
      ...named,
      aliases: tidyAliases(named),
      emails: tidyEmails(content.emails),
      phones: tidyPhones(content.phones, toE164),
      addresses: tidyAddresses(content.addresses),
      urls: tidyUrls(content.urls),
      groups: tidyLines(content.groups),
    };
    for (const list of ['aliases', 'emails', 'phones', 'addresses', 'urls', 'groups'] as const) {
      if (tidied[list].length > LIST_MAX) {
        throw new VcardError(card.line, `begins a card with more than ${LIST_MAX} ${list}.`, true);
      }
    }
    const length = JSON.stringify(content.extra).length;
    if (content.extra.length > EXTRA_MAX || length > EXTRA_MAX_LENGTH) {
      throw new VcardError(
        card.line,
        `begins a card with more than ${EXTRA_MAX} other properties or ${EXTRA_MAX_LENGTH} characters in them.`,
        true,
      );
    }
    return { line: card.line, uid: this.uid, isGroup: this.isGroup, content: tidied };
  }

  /** False for the label of another property, which goes with that one. */
  private isTaken({ name, group }: ContentLine): boolean {
    return name !== 'X-ABLABEL' || group === null || !this.labels.has(group.toLowerCase());
  }

  private readName(property: ContentLine): void {
    const name = tidyLine(this.text(property, NAME_MAX)) ?? '';
    if (this.content.name === '') this.content.name = name;
    else this.content.aliases.push(name);
  }

  private readParts(property: ContentLine): void {
    if (property.params.some(([name]) => name === DERIVED)) return;
    if (this.hasParts) return this.keep(property);
    this.hasParts = true;
    this.text(property, NAME_MAX * 5);
    const [family, given, middle, prefix, suffix] = splitValue(property.value, ';').map((part) =>
      tidyLine(unescapeText(part)),
    );
    this.content.nameParts = {
      family: family ?? null,
      given: given ?? null,
      middle: middle ?? null,
      prefix: prefix ?? null,
      suffix: suffix ?? null,
    };
    const long = Object.values(this.content.nameParts).some(
      (part) => (part?.length ?? 0) > NAME_MAX,
    );
    if (long) throw tooLong(property, NAME_MAX);
  }

  private readOrganization(property: ContentLine): void {
    const { content } = this;
    if (content.organization !== null || content.department !== null) return this.keep(property);
    this.text(property, VALUE_MAX);
    const [organization, ...units] = splitValue(property.value, ';').map((part) =>
      tidyLine(unescapeText(part)),
    );
    content.organization = organization ?? null;
    content.department = tidyLine(units.filter((unit) => unit !== null).join(' / '));
  }

  private readValue(property: ContentLine): void {
    const value = withoutScheme(property, this.text(property, VALUE_MAX * 2));
    if (value.length > VALUE_MAX) throw tooLong(property, VALUE_MAX);
    const lists = { EMAIL: 'emails', TEL: 'phones', URL: 'urls' } as const;
    if (property.name !== 'EMAIL' && property.name !== 'TEL' && property.name !== 'URL') return;
    const entry = { value, label: this.labelOf(property), e164: null };
    this.addSorted(this.content[lists[property.name]], property, entry);
  }

  private readBirthday(property: ContentLine): void {
    const omitted = paramOf(property, 'X-APPLE-OMIT-YEAR');
    const birthday = readBirthday(unescapeText(property.value), omitted);
    if (birthday === null || this.content.birthday !== null) return this.keep(property);
    this.content.birthday = birthday;
  }

  private readNote(property: ContentLine): void {
    const note = tidyText(this.text(property, NOTES_MAX));
    const notes = [this.content.notes, note].filter((text) => text !== null).join('\n\n');
    if (notes.length > NOTES_MAX) throw tooLong(property, NOTES_MAX);
    this.content.notes = notes === '' ? null : notes;
  }

  private readPicture(property: ContentLine): void {
    const avatar = readPhoto(property);
    if (avatar === null || this.content.avatar !== null) return this.keep(property);
    this.content.avatar = avatar;
  }

  private readKind(property: ContentLine): void {
    const kind = property.value.trim().toLowerCase();
    if (kind === 'group') this.isGroup = true;
    else if (kind !== 'individual') this.keep(property);
  }

  private addTo(list: string[], property: ContentLine, max: number): void {
    for (const part of splitValue(property.value, ',')) {
      const text = tidyLine(unescapeText(part));
      if (text !== null && text.length > max) throw tooLong(property, max);
      if (text !== null) list.push(text);
    }
  }

  private addSorted<T>(list: T[], property: ContentLine, value: T): void {
    if (isPreferred(property)) list.unshift(value);
    else list.push(value);
  }

  private labelOf(property: ContentLine): string | null {
    const own = property.group === null ? undefined : this.labels.get(property.group.toLowerCase());
    const label = own ?? labelOfTypes(property);
    if (label !== null && label.length > LABEL_MAX) throw tooLong(property, LABEL_MAX);
    return label;
  }

  private text(property: ContentLine, max: number): string {
    const text = unescapeText(property.value);
    if (text.length > max) throw tooLong(property, max);
    return text;
  }

  private keep(property: ContentLine): void {
    const { group, name, params, value } = binaryAsUri(property);
    if (value === '') return;
    const fact: ExtraFact = { group, name, params, value };
    this.content.extra.push(fact);
  }
}

/** Labels by the group whose property they describe. */
function labelsOf(properties: ContentLine[]): Map<string, string> {
  const labelled = new Set(['EMAIL', 'TEL', 'URL', 'ADR']);
  const groups = new Set(
    properties.flatMap(({ name, group }) =>
      group !== null && labelled.has(name) ? [group.toLowerCase()] : [],
    ),
  );
  return new Map(
    properties.flatMap(({ name, group, value }): [string, string][] => {
      const label = tidyLine(unescapeText(value));
      if (name !== 'X-ABLABEL' || group === null || label === null) return [];
      return groups.has(group.toLowerCase()) ? [[group.toLowerCase(), labelOfText(label)]] : [];
    }),
  );
}

function tooLong(property: ContentLine, max: number): VcardError {
  return new VcardError(property.line, `has a value longer than ${max} characters.`, true);
}
