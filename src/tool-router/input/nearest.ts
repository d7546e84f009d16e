import { distance } from 'fastest-levenshtein';

const MAX_NAME = 64;

function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.\s]/g, '');
}

/** Letters to change; two neighbours that changed places count as one. */
function steps(from: string, to: string): number {
  const direct = distance(from, to);
  if (from.length !== to.length || direct !== 2) return direct;
  const at = from.split('').findIndex((letter, index) => letter !== to[index]);
  const swapped = `${from.slice(0, at)}${from[at + 1]}${from[at]}${from.slice(at + 2)}`;
  return swapped === to ? 1 : direct;
}

/**
 * The one of `known` that `name` was probably meant to be: differing in case and separators only,
 * or in few letters. Undefined when none is near.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const wanted = normalized(name);
  let best: { name: string; away: number } | undefined;
  for (const candidate of known) {
    const away = steps(wanted, normalized(candidate));
    if (!best || away < best.away) best = { name: candidate, away };
  }
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return best && best.away <= allowed ? best.name : undefined;
}
