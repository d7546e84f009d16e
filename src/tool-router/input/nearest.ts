import { distance } from 'fastest-levenshtein';

const MAX_NAME = 64;

function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.\s]/g, '');
}

/**
 * The one of `known` that `name` was probably meant to be: differing in case and separators only,
 * or in few letters. Undefined when none is near.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const wanted = normalized(name);
  let best: { name: string; steps: number } | undefined;
  for (const candidate of known) {
    const steps = distance(wanted, normalized(candidate));
    if (!best || steps < best.steps) best = { name: candidate, steps };
  }
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return best && best.steps <= allowed ? best.name : undefined;
}
