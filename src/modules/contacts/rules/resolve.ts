import { CANDIDATES_MAX } from '../contacts.limits.js';
import type { Match } from './match.js';

export interface Candidate<T> {
  contact: T;
  match: Match;
}

export type Resolution<T> =
  | { outcome: 'none' }
  | { outcome: 'one'; candidate: Candidate<T> }
  | { outcome: 'ambiguous'; candidates: Candidate<T>[]; total: number };

/** Scores nearer than this are the same to a person who asks. */
const MARGIN = 9;
/** Below this a match is a guess: it is offered, never taken. */
const SURE = 50;

/**
 * Who is meant: one contact when it fits clearly better than every other, else those that fit,
 * best first. A guess stands alone only as a candidate to be asked about.
 */
export function resolveAmong<T extends { id: string; name: string }>(
  scored: Candidate<T>[],
): Resolution<T> {
  const ranked = [...scored].sort(
    (a, b) => b.match.score - a.match.score || (a.contact.id < b.contact.id ? -1 : 1),
  );
  const best = ranked[0];
  if (!best) return { outcome: 'none' };
  const close = ranked.filter(({ match }) => match.score >= best.match.score - MARGIN);
  if (close.length === 1 && best.match.score >= SURE) return { outcome: 'one', candidate: best };
  return {
    outcome: 'ambiguous',
    candidates: close.slice(0, CANDIDATES_MAX),
    total: close.length,
  };
}

/** From here on a match is clear whoever else there may be. */
export const CLEAR_SCORE = 90;
