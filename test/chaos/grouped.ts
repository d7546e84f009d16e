/** Entries by a key, in the order in which they and their keys first come. */
export function grouped<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(key(one)) ?? [];
    groups.set(key(one), group);
    group.push(one);
  }
  return groups;
}
