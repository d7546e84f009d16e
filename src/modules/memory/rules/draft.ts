import { newId } from '../../../common/ids.js';
import type { MemoryCaller } from '../memory.caller.js';
import { invalidField } from '../memory.errors.js';
import { DEFAULT_CONFIDENCE, isExpired, type Fact, type FactSource } from './fact.js';
import { normalKey } from './normal.js';

/** What is said of a fact, read from an input. */
export interface FactDraft {
  key: string | null;
  text: string;
  source: FactSource;
  runId: string | null;
  /** Undefined: nobody said one. */
  confidence: number | undefined;
  /** Undefined: nobody said; null: never. */
  expiresAt: Date | null | undefined;
}

interface DraftFields {
  key?: string;
  text: string;
  source?: FactSource;
  confidence?: number;
  expires_at?: string;
}

/** @throws INVALID_ACTION_INPUT for a key that is none, or a time that is over. */
export function draftFact(fields: DraftFields, caller: MemoryCaller, now: Date): FactDraft {
  return {
    key: fields.key === undefined ? null : requireKey(fields.key),
    text: fields.text.trim(),
    source: fields.source ?? caller.source,
    runId: caller.runId,
    confidence: fields.confidence,
    expiresAt: readExpiry(fields.expires_at, now),
  };
}

/** The key as it is stored. @throws INVALID_ACTION_INPUT. */
export function requireKey(key: string): string {
  const normal = normalKey(key);
  if (normal === null) {
    throw invalidField('key', 'is not a key.', 'letters, digits, . _ and -');
  }
  return normal;
}

/** @throws INVALID_ACTION_INPUT when the time is over already. */
export function readExpiry(value: string | undefined, now: Date): Date | null | undefined {
  if (value === undefined) return undefined;
  if (value === '') return null;
  const expiresAt = new Date(value);
  if (expiresAt <= now) throw invalidField('expires_at', 'must lie in the future.');
  return expiresAt;
}

export function newFact(draft: FactDraft, userId: string, now: Date): Fact {
  const { key, text, source, runId, expiresAt } = draft;
  return {
    id: newId('mem'),
    userId,
    key,
    text,
    source,
    runId,
    confidence: draft.confidence ?? DEFAULT_CONFIDENCE[source],
    version: 1,
    expiresAt: expiresAt ?? null,
    heldFrom: now,
    createdAt: now,
    updatedAt: now,
  };
}

/** The fact with another value: what was known about the old one holds no more. */
export function replaced(fact: Fact, draft: FactDraft, now: Date): Fact {
  const { text, source, runId, expiresAt } = draft;
  return {
    ...fact,
    text,
    source,
    runId,
    confidence: draft.confidence ?? DEFAULT_CONFIDENCE[source],
    version: fact.version + 1,
    expiresAt: expiresAt ?? null,
    heldFrom: now,
    updatedAt: now,
  };
}

/**
 * The fact said once more. It is as sure as the surer of the two unless a confidence is given; what
 * the person says outweighs a conclusion; one that had expired holds again.
 */
export function confirmed(fact: Fact, draft: FactDraft, now: Date): Fact {
  const said = draft.source === 'user_said' && fact.source !== 'user_said';
  const renewed = isExpired(fact, now) ? null : fact.expiresAt;
  const sure = draft.confidence ?? DEFAULT_CONFIDENCE[draft.source];
  const next = {
    ...fact,
    ...(said ? { source: draft.source, runId: draft.runId } : {}),
    confidence: draft.confidence ?? Math.max(fact.confidence, sure),
    expiresAt: draft.expiresAt === undefined ? renewed : draft.expiresAt,
    updatedAt: now,
  };
  const same =
    next.source === fact.source &&
    next.confidence === fact.confidence &&
    next.expiresAt?.getTime() === fact.expiresAt?.getTime();
  return same ? next : { ...next, version: fact.version + 1 };
}
