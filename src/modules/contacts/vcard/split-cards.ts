import { contentLines, type ContentLine } from './content-lines.js';
import { VcardError } from './vcard-error.js';

/** The properties of one card between BEGIN and END, escaped as vCard 4.0 wants it. */
export interface RawCard {
  /** Line of its BEGIN. */
  line: number;
  properties: ContentLine[];
}

const VERSIONS = ['2.1', '3.0', '4.0'];
/** Their commas separate values, in 2.1 too. */
const COMMA_LISTS = new Set(['CATEGORIES', 'NICKNAME']);

/**
 * The cards of a file (RFC 6350 §3.3, RFC 2426, vCard 2.1).
 * @throws VcardError when the file is anything else, or has more than `max` cards.
 */
export function splitCards(file: string, max: number): RawCard[] {
  const cards: RawCard[] = [];
  let open: RawCard | undefined;
  for (const property of contentLines(file)) {
    const { name, line } = property;
    const isCard = property.value.trim().toUpperCase() === 'VCARD';
    if (name === 'BEGIN' && isCard) {
      if (open) throw new VcardError(line, 'begins a card inside of a card.');
      open = { line, properties: [] };
    } else if (!open) {
      throw new VcardError(line, 'stands outside of a card: a file begins with BEGIN:VCARD.');
    } else if (name === 'END' && isCard) {
      if (cards.length >= max) {
        throw new VcardError(open.line, `is one card too many: a file has at most ${max}.`, true);
      }
      cards.push(normalized(open));
      open = undefined;
    } else if (name === 'BEGIN' || name === 'END') {
      throw new VcardError(line, `${name} of something that is no vCard.`);
    } else open.properties.push(property);
  }
  if (open) throw new VcardError(open.line, 'begins a card that has no END:VCARD.');
  if (cards.length === 0) throw new VcardError(1, 'is no vCard: there is no BEGIN:VCARD.');
  return cards;
}

function normalized(card: RawCard): RawCard {
  const version = card.properties.find(({ name }) => name === 'VERSION');
  const number = version?.value.trim() ?? '3.0';
  if (!VERSIONS.includes(number)) {
    throw new VcardError(version?.line ?? card.line, 'names a version other than 2.1, 3.0 or 4.0.');
  }
  const properties = card.properties
    .filter(({ name }) => name !== 'VERSION')
    .map((property) => ({ ...property, value: escaped(property, number) }));
  return { line: card.line, properties };
}

/** In 2.1 only `\;` is an escape. Newlines come from quoted-printable. */
function escaped({ name, value }: ContentLine, version: string): string {
  const lines = (text: string): string => text.replaceAll('\n', '\\n');
  if (version !== '2.1') return lines(value);
  const slashes = value.replace(/\\(?!;)/g, '\\\\');
  return lines(COMMA_LISTS.has(name) ? slashes : slashes.replaceAll(',', '\\,'));
}
