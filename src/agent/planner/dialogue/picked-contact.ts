import type { JsonObject } from '../../../common/json.js';
import { plainText } from '../replies/format.js';
import { fold } from '../text/fold.js';
import { readOrdinal } from './ordinal.js';

/** A contact that a reply settled, and the name that was asked about. */
export interface PickedContact {
  query: string;
  contact: JsonObject;
}

/** Contacts that are to become one: `from` go into `into`. */
export interface MergeOrder {
  into: JsonObject;
  from: JsonObject[];
}

const MERGE = /合并|并[到进入]|\bmerge\b|\binto\b/i;
const INTO = /合并[到进入成为]|并[到进入]|\binto\b/i;
const KEEP = /保留|留下|\bkeep\b/i;
const ORDINAL =
  /第\s*[一二三四五六七八九十\d]{1,2}|\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,2}(?:st|nd|rd|th))\b|(?<!\d)\d{1,2}(?!\d)/gi;

/** The candidate that `第二个`, `the second one` or a name means; null for none, or more than one. */
export function pickContact(order: string, candidates: JsonObject[]): JsonObject | null {
  const index = readOrdinal(order, candidates.length);
  if (index !== null) return candidates[index] ?? null;
  const said = plain(order);
  const named = candidates.filter((contact) => said !== '' && plain(nameOf(contact)) === said);
  return named.length === 1 ? (named[0] ?? null) : null;
}

/**
 * `merge the second one into the first`, `把第二个并到第一个`, `合并第一个和第三个`: the one after the
 * `into`, or the first that is said, stays. Null where it is not said which of several.
 * @param asked the question was which of them to merge; `agreed`: the reply is a yes
 */
export function readMergeOrder(
  order: string,
  candidates: JsonObject[],
  { asked, agreed }: { asked: boolean; agreed: boolean },
): MergeOrder | null {
  const [first, second] = candidates;
  const said = MERGE.test(order);
  if (!first || !second || (!asked && !said)) return null;
  const indices = [...order.matchAll(ORDINAL)].flatMap(
    ([said]) => readOrdinal(said, candidates.length) ?? [],
  );
  const named = [...new Set(indices)].flatMap((index): JsonObject[] => {
    const contact = candidates[index];
    return contact ? [contact] : [];
  });
  const [one, ...others] = named;
  if (!one) {
    const both = candidates.length === 2 && (said || agreed);
    return both ? { into: first, from: [second] } : null;
  }
  const last = others.at(-1);
  if (last) {
    return INTO.test(order)
      ? { into: last, from: [one, ...others.slice(0, -1)] }
      : { into: one, from: others };
  }
  const other = one === first ? second : first;
  return candidates.length === 2 && KEEP.test(order) ? { into: one, from: [other] } : null;
}

/** The name of a contact, on one line. */
export function nameOf(contact: JsonObject): string {
  return plainText(typeof contact['name'] === 'string' ? contact['name'] : '?');
}

function plain(text: string): string {
  return fold(text.slice(0, 200))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
