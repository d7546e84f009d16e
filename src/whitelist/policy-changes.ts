import { readWhitelist, type WhitelistDocument } from './policy.js';

/** One rule of a policy, and where it stands. */
export interface PlacedPattern {
  /** `profiles.chat.allow.0` */
  path: string;
  /** The list that it stands in: `profiles.chat.allow`. */
  list: string;
  pattern: string;
}

/** Every pattern of a policy, in the order of the document. Pure. */
export function patternsOf(document: WhitelistDocument): PlacedPattern[] {
  const { profiles, roles, users } = document;
  return Object.entries({ profiles, roles, users }).flatMap(([section, names]) =>
    Object.entries(names).flatMap(([name, rules]) =>
      Object.entries(rules).flatMap(([key, patterns]: [string, string[]]) =>
        patterns.map((pattern, index) => {
          const list = `${section}.${name}.${key}`;
          return { path: `${list}.${index}`, list, pattern };
        }),
      ),
    ),
  );
}

/**
 * How many rules a version has that the one before had not, and the reverse. Pure.
 * @param before as it is stored; one that cannot be read counts as empty.
 */
export function countChanges(
  before: unknown,
  after: WhitelistDocument,
): { added: number; removed: number } {
  const read = readWhitelist(before);
  const old = rulesOf('document' in read ? read.document : null);
  const fresh = rulesOf(after);
  return { added: countOutside(fresh, old), removed: countOutside(old, fresh) };
}

function countOutside(rules: Set<string>, others: Set<string>): number {
  return [...rules].filter((rule) => !others.has(rule)).length;
}

function rulesOf(document: WhitelistDocument | null): Set<string> {
  return new Set((document ? patternsOf(document) : []).map((one) => `${one.list} ${one.pattern}`));
}
