/** Why two contacts may be one: what they share. */
export const DUPLICATE_REASONS = ['email', 'phone', 'name'] as const;
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];

/** Contacts that share one identity key. */
export interface SharedKey {
  key: string;
  ids: string[];
}

export interface DuplicateGroup {
  ids: string[];
  reasons: DuplicateReason[];
}

const REASONS: Record<string, DuplicateReason> = { e: 'email', t: 'phone', n: 'name' };

/**
 * Contacts that hang together by shared emails, numbers or names, also over a third. Groups by
 * their oldest contact, contacts by age; each contact stands in one group.
 */
export function duplicateGroups(shared: SharedKey[]): DuplicateGroup[] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root))
      root = up;
    parents.set(id, root);
    return root;
  };
  for (const { ids } of shared) {
    const [first, ...others] = ids.map(rootOf).sort();
    if (first === undefined) continue;
    for (const root of others) parents.set(root, first);
    parents.set(first, first);
  }
  const groups = new Map<string, { ids: Set<string>; reasons: Set<DuplicateReason> }>();
  for (const { key, ids } of shared) {
    const [id] = ids;
    const reason = REASONS[key.slice(0, 1)];
    if (id === undefined || reason === undefined) continue;
    const root = rootOf(id);
    const group = groups.get(root) ?? { ids: new Set(), reasons: new Set() };
    groups.set(root, group);
    for (const one of ids) group.ids.add(one);
    group.reasons.add(reason);
  }
  return [...groups.values()]
    .map(({ ids, reasons }) => ({
      ids: [...ids].sort(),
      reasons: DUPLICATE_REASONS.filter((reason) => reasons.has(reason)),
    }))
    .sort((a, b) => ((a.ids[0] ?? '') < (b.ids[0] ?? '') ? -1 : 1));
}
