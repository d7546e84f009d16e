/** Where a fact comes from: the person said it, an agent concluded it, or it was brought along. */
export const FACT_SOURCES = ['user_said', 'agent_inferred', 'imported'] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

/**
 * Why a fact does not hold any more: another value of its key came, it was corrected by its id, or
 * it was removed.
 */
export const END_REASONS = ['superseded', 'corrected', 'removed'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** A fact as rules see it. */
export interface Fact {
  id: string;
  userId: string;
  key: string | null;
  text: string;
  source: FactSource;
  /** The run in which it was learned. */
  runId: string | null;
  /** From 0 to 1. */
  confidence: number;
  version: number;
  expiresAt: Date | null;
  /** Since when it says this. */
  heldFrom: Date;
  createdAt: Date;
  /** When it was last said. */
  updatedAt: Date;
}

/** What a fact said in one of its versions. */
export interface EndedFact {
  factId: string;
  version: number;
  userId: string;
  key: string | null;
  text: string;
  source: FactSource;
  runId: string | null;
  confidence: number;
  heldFrom: Date;
  heldUntil: Date;
  reason: EndReason;
}

/** Confidence of a fact for which nobody said one. */
export const DEFAULT_CONFIDENCE: Readonly<Record<FactSource, number>> = {
  user_said: 1,
  imported: 0.8,
  agent_inferred: 0.6,
};

export function isExpired(fact: Pick<Fact, 'expiresAt'>, now: Date): boolean {
  return fact.expiresAt !== null && fact.expiresAt <= now;
}

/** The version that ends at `now`, or ended when it expired. */
export function ended(fact: Fact, reason: EndReason, now: Date): EndedFact {
  const { id, version, userId, key, text, source, runId, confidence, heldFrom } = fact;
  const until = fact.expiresAt && fact.expiresAt < now ? fact.expiresAt : now;
  const heldUntil = until < heldFrom ? heldFrom : until;
  return {
    factId: id,
    version,
    userId,
    key,
    text,
    source,
    runId,
    confidence,
    heldFrom,
    heldUntil,
    reason,
  };
}
