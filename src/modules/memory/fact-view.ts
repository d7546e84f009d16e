import type { EndedFactView, FactView } from './dto/fact-view.dto.js';
import { isExpired, type EndedFact, type Fact } from './rules/fact.js';

/** The fact as its owner sees it; absent members are absent, not null. */
export function toFactView(fact: Fact, now: Date, score?: number): FactView {
  return {
    id: fact.id,
    ...(fact.key === null ? {} : { key: fact.key }),
    text: fact.text,
    source: fact.source,
    ...(fact.runId === null ? {} : { runId: fact.runId }),
    confidence: fact.confidence,
    version: fact.version,
    createdAt: fact.createdAt.toISOString(),
    updatedAt: fact.updatedAt.toISOString(),
    ...(fact.expiresAt === null ? {} : { expiresAt: fact.expiresAt.toISOString() }),
    ...(isExpired(fact, now) ? { expired: true as const } : {}),
    ...(score === undefined ? {} : { score }),
  };
}

export function toEndedView(past: EndedFact): EndedFactView {
  return {
    id: past.factId,
    version: past.version,
    ...(past.key === null ? {} : { key: past.key }),
    text: past.text,
    source: past.source,
    ...(past.runId === null ? {} : { runId: past.runId }),
    confidence: past.confidence,
    heldFrom: past.heldFrom.toISOString(),
    heldUntil: past.heldUntil.toISOString(),
    reason: past.reason,
  };
}
