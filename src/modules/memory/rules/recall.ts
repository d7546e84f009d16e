import type { Fact } from './fact.js';
import { byRank, evidence, matchOf, scoreOf } from './score.js';
import type { QueryTerm } from './terms.js';

/** Most facts, and most UTF-16 units of their lines, newlines between them included. */
export interface Budget {
  items: number;
  characters: number;
}

/** Least weight of terms in common for a fact to have to do with a message: one Chinese word. */
const FOUND_MIN = 1;

/** Least confidence at which a fact is told without being asked for. */
const CONFIDENCE_MIN = 0.3;

/**
 * Facts that a message touches, best first, then the standing ones, best first. Pure.
 */
export function rankForMessage(
  found: Fact[],
  standing: Fact[],
  terms: QueryTerm[],
  now: Date,
): Fact[] {
  const touched = found
    .map((fact) => ({ fact, match: matchOf(fact, terms) }))
    .filter(({ match }) => match.found >= FOUND_MIN)
    .map(({ fact, match }) => ({ fact, score: scoreOf(fact, evidence(match), now) }))
    .toSorted(byRank);
  const general = standing.map((fact) => ({ fact, score: scoreOf(fact, 0, now) })).toSorted(byRank);
  const chosen = new Map([...touched, ...general].map(({ fact }) => [fact.id, fact]));
  return [...chosen.values()].filter(({ confidence }) => confidence >= CONFIDENCE_MIN);
}

/** One JSON object: nothing in a fact can end its line or look like the text around it. */
export function lineOf(fact: Fact): string {
  return JSON.stringify({
    ...(fact.key === null ? {} : { key: fact.key }),
    text: fact.text,
    source: fact.source,
    ...(fact.source === 'user_said' ? {} : { confidence: fact.confidence }),
    said: fact.updatedAt.toISOString().slice(0, 10),
  });
}

/** The first facts that fit. One that is too long is left out whole, and a shorter one may follow. */
export function fitInto(budget: Budget, facts: Fact[]): { facts: Fact[]; lines: string[] } {
  const chosen: { facts: Fact[]; lines: string[] } = { facts: [], lines: [] };
  let room = budget.characters;
  for (const fact of facts) {
    if (chosen.facts.length >= budget.items) break;
    const line = lineOf(fact);
    const size = line.length + (chosen.lines.length > 0 ? 1 : 0);
    if (size > room) continue;
    room -= size;
    chosen.facts.push(fact);
    chosen.lines.push(line);
  }
  return chosen;
}
