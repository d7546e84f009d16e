import { createHash } from 'node:crypto';
import { IMPORT_MAX_CARDS } from '../contacts.limits.js';
import { readCard, type ParsedCard } from './read-card.js';
import { splitCards } from './split-cards.js';

/** A card of a file, with the identity by which a second import of it is recognised. */
export interface FileCard extends ParsedCard {
  uid: string;
}

/**
 * Every card of a file, or none: one that cannot be read refuses the file.
 * @throws VcardError
 */
export function readFileCards(file: string, toE164: (text: string) => string | null): FileCard[] {
  return splitCards(file, IMPORT_MAX_CARDS).map((raw) => {
    const card = readCard(raw, toE164);
    return { ...card, uid: card.uid ?? fingerprint(card) };
  });
}

/** A card without UID is the same card when it says the same. */
function fingerprint({ content }: ParsedCard): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`;
}
