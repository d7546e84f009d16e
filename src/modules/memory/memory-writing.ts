import { Injectable } from '@nestjs/common';
import type { ChangeStatus } from './dto/update-output.dto.js';
import type { FactCorrection, MemoryOperation } from './dto/update-input.dto.js';
import { MemoryHistoryRepository } from './memory-history.repository.js';
import type { MemoryCaller } from './memory.caller.js';
import {
  alreadyRemembered,
  factNotFound,
  listIsFull,
  tooManyFacts,
  versionConflict,
} from './memory.errors.js';
import { FACTS_MAX, LIST_MAX } from './memory.limits.js';
import { MemoryRepository } from './memory.repository.js';
import {
  confirmed,
  draftFact,
  newFact,
  readExpiry,
  replaced,
  requireKey,
  type FactDraft,
} from './rules/draft.js';
import { ended, isExpired, type EndReason, type Fact } from './rules/fact.js';
import { fingerprintOf } from './rules/normal.js';
import { refuseFields, requireField } from '../../common/required-fields.js';

/** What one change came to; `before` are the texts that hold no more. */
export interface FactChange {
  status: Exclude<ChangeStatus, 'failure'>;
  key: string | null;
  /** Null when it was removed. */
  fact: Fact | null;
  before: string[];
}

/**
 * The rules of changing facts. Everything runs in the caller's transaction, under the lock of the
 * user's memory.
 */
@Injectable()
export class MemoryWriting {
  constructor(
    private readonly facts: MemoryRepository,
    private readonly history: MemoryHistoryRepository,
  ) {}

  /** @throws INVALID_ACTION_INPUT, NOT_FOUND, CONFLICT, LIMIT_EXCEEDED. */
  apply(operation: MemoryOperation, caller: MemoryCaller, now: Date): Promise<FactChange> {
    switch (operation.operation ?? 'set') {
      case 'append':
        refuseFields(operation, ['fact_id'], 'does not go with append.');
        requireField(operation, 'key');
        return this.append(draftOf(operation, caller, now), caller, now);
      case 'remove':
        return this.remove(operation, caller, now);
      case 'set':
        if (operation.fact_id !== undefined) return this.setById(operation, caller, now);
        return this.set(draftOf(operation, caller, now), caller, now);
    }
  }

  /**
   * Changes the given members of a fact; what it said before goes into its history.
   * @throws NOT_FOUND, CONFLICT (`expected_version`, or another fact says the same), LIMIT_EXCEEDED.
   */
  async correct(
    factId: string,
    change: FactCorrection,
    caller: MemoryCaller,
    now: Date,
  ): Promise<FactChange> {
    const fact = await this.facts.find(caller.userId, factId);
    if (!fact) throw factNotFound();
    const expected = change.expected_version ?? fact.version;
    if (expected !== fact.version) throw versionConflict(expected, fact.version);
    const expiry = readExpiry(change.expires_at, now);
    const next = {
      ...fact,
      key: change.key === undefined ? fact.key : change.key === '' ? null : requireKey(change.key),
      text: change.text?.trim() ?? fact.text,
      confidence: change.confidence ?? fact.confidence,
      expiresAt: expiry === undefined ? fact.expiresAt : expiry,
    };
    const moved = next.key !== fact.key;
    const reworded = next.text !== fact.text;
    const same =
      next.confidence === fact.confidence &&
      next.expiresAt?.getTime() === fact.expiresAt?.getTime();
    if (!moved && !reworded && same) {
      return { status: 'unchanged', key: fact.key, fact, before: [] };
    }
    if (moved || reworded) await this.assertFree(next, moved);
    const stored: Fact = {
      ...next,
      version: fact.version + 1,
      updatedAt: now,
      ...(reworded ? { source: caller.source, runId: caller.runId, heldFrom: now } : {}),
    };
    if (moved || reworded) await this.history.add([ended(fact, 'corrected', now)]);
    await this.facts.update(stored);
    const before = reworded && !isExpired(fact, now) ? [fact.text] : [];
    return { status: 'updated', key: stored.key, fact: stored, before };
  }

  /** The key has this value and no other; without a key the text is remembered once. */
  private async set(draft: FactDraft, { userId }: MemoryCaller, now: Date): Promise<FactChange> {
    const { key } = draft;
    if (key === null) {
      const [known] = await this.facts.findSame(userId, draft.text);
      return known ? this.confirm(known, draft, [], now) : this.create(draft, userId, now);
    }
    const held = await this.facts.findByKey(userId, key);
    const [oldest] = held;
    if (!oldest) return this.create(draft, userId, now);
    const wanted = fingerprintOf(draft.text);
    const same = held.find((fact) => fingerprintOf(fact.text) === wanted);
    const kept = same ?? oldest;
    const others = held.filter((fact) => fact !== kept);
    await this.end(others, 'superseded', now);
    if (same) return this.confirm(same, draft, textsOf(others, now), now);
    await this.history.add([ended(kept, 'superseded', now)]);
    const fact = replaced(kept, draft, now);
    await this.facts.update(fact);
    return { status: 'updated', key, fact, before: textsOf(held, now) };
  }

  private setById(
    operation: MemoryOperation,
    caller: MemoryCaller,
    now: Date,
  ): Promise<FactChange> {
    const { fact_id = '', key, confidence, expires_at, source } = operation;
    const text = requireField(operation, 'text');
    const change = {
      text,
      ...(key === undefined ? {} : { key }),
      ...(confidence === undefined ? {} : { confidence }),
      ...(expires_at === undefined ? {} : { expires_at }),
    };
    return this.correct(fact_id, change, { ...caller, source: source ?? caller.source }, now);
  }

  private async append(draft: FactDraft, { userId }: MemoryCaller, now: Date): Promise<FactChange> {
    const key = draft.key ?? '';
    const held = await this.facts.findByKey(userId, key);
    const wanted = fingerprintOf(draft.text);
    const same = held.find((fact) => fingerprintOf(fact.text) === wanted);
    if (same) return this.confirm(same, draft, [], now);
    if (held.length >= LIST_MAX) throw listIsFull(key);
    return this.create(draft, userId, now);
  }

  private async remove(
    operation: MemoryOperation,
    { userId }: MemoryCaller,
    now: Date,
  ): Promise<FactChange> {
    refuseFields(operation, ['source', 'confidence', 'expires_at'], 'does not go with remove.');
    const found = await this.named(operation, userId);
    const [first] = found;
    if (!first) throw factNotFound();
    await this.end(found, 'removed', now);
    return { status: 'removed', key: first.key, fact: null, before: textsOf(found, now) };
  }

  /** The facts that a removal names. */
  private async named(operation: MemoryOperation, userId: string): Promise<Fact[]> {
    if (operation.fact_id !== undefined) {
      refuseFields(operation, ['key', 'text'], 'does not go with fact_id.');
      const fact = await this.facts.find(userId, operation.fact_id);
      return fact ? [fact] : [];
    }
    if (operation.key === undefined) {
      return this.facts.findSame(userId, requireField(operation, 'text'));
    }
    const held = await this.facts.findByKey(userId, requireKey(operation.key));
    if (operation.text === undefined) return held;
    const wanted = fingerprintOf(operation.text);
    return held.filter((fact) => fingerprintOf(fact.text) === wanted);
  }

  private async create(draft: FactDraft, userId: string, now: Date): Promise<FactChange> {
    if ((await this.facts.count(userId)) >= FACTS_MAX) throw tooManyFacts();
    const fact = newFact(draft, userId, now);
    await this.facts.insert(fact);
    return { status: 'remembered', key: fact.key, fact, before: [] };
  }

  /** What is known is not stored again; `before` are other values of its key that ended. */
  private async confirm(
    known: Fact,
    draft: FactDraft,
    before: string[],
    now: Date,
  ): Promise<FactChange> {
    const fact = confirmed(known, draft, now);
    await this.facts.update(fact);
    const status =
      before.length > 0 ? 'updated' : isExpired(known, now) ? 'remembered' : 'unchanged';
    return { status, key: fact.key, fact, before };
  }

  private async end(facts: Fact[], reason: EndReason, now: Date): Promise<void> {
    if (facts.length === 0) return;
    const [{ userId }] = facts as [Fact];
    await this.history.add(facts.map((fact) => ended(fact, reason, now)));
    await this.facts.delete(
      userId,
      facts.map(({ id }) => id),
    );
  }

  /** A correction must not make a double, nor fill a list beyond its limit. */
  private async assertFree(next: Fact, moved: boolean): Promise<void> {
    const { userId, key, text, id } = next;
    const same = await this.facts.findSame(userId, text);
    const double = same.find((fact) => fact.id !== id && fact.key === key);
    if (double) throw alreadyRemembered(double.id);
    if (!moved || key === null) return;
    const held = await this.facts.findByKey(userId, key);
    if (held.length >= LIST_MAX) throw listIsFull(key);
  }
}

function draftOf(operation: MemoryOperation, caller: MemoryCaller, now: Date): FactDraft {
  return draftFact({ ...operation, text: requireField(operation, 'text') }, caller, now);
}

function textsOf(facts: Fact[], now: Date): string[] {
  return facts.filter((fact) => !isExpired(fact, now)).map(({ text }) => text);
}
