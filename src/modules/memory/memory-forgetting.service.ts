import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { EraseMemoriesOutput, ForgetOutput } from './dto/fact-view.dto.js';
import type { ForgetInput } from './dto/forget-input.dto.js';
import { MemoryHistoryRepository } from './memory-history.repository.js';
import { confirmationConflict, factNotFound, forgetsTooMany } from './memory.errors.js';
import { FORGET_MAX } from './memory.limits.js';
import { MemoryRepository } from './memory.repository.js';
import { requireKey } from './rules/draft.js';
import type { Fact } from './rules/fact.js';
import { refuseFields, requireField, requireOneOf } from '../../common/required-fields.js';
import { queryTerms } from './rules/terms.js';

/** Erases facts with everything that they said before. Nothing of them stays in the memory. */
@Injectable()
export class MemoryForgettingService {
  constructor(
    private readonly facts: MemoryRepository,
    private readonly history: MemoryHistoryRepository,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * `memory.forget`. What an id names goes at once, and so does a key with one fact. Several facts of
   * a key, and what a query finds, are shown first; the same call with `confirm` erases just them.
   * @throws NOT_FOUND; LIMIT_EXCEEDED when more than FORGET_MAX fit; CONFLICT when `confirm` is not
   *   for what would be erased now; INVALID_ACTION_INPUT.
   */
  async forget(input: ForgetInput, userId: string): Promise<ForgetOutput> {
    requireOneOf(input, ['fact_id', 'key', 'query']);
    return this.uow.run(async () => {
      await this.facts.lock(userId);
      if (input.fact_id !== undefined) {
        refuseFields(input, ['confirm'], 'does not go with fact_id.');
        const fact = await this.facts.find(userId, input.fact_id);
        if (!fact) throw factNotFound();
        return this.erase(userId, [fact]);
      }
      if (input.key !== undefined) return this.forgetKey(requireKey(input.key), input, userId);
      return this.forgetFound(requireField(input, 'query'), input, userId);
    });
  }

  /**
   * What `forget` would begin with, in the words of the facts; changes nothing.
   * @throws NOT_FOUND, INVALID_ACTION_INPUT as `forget`.
   */
  async preview(input: ForgetInput, userId: string): Promise<string> {
    requireOneOf(input, ['fact_id', 'key', 'query']);
    if (input.fact_id !== undefined) {
      const fact = await this.facts.find(userId, input.fact_id);
      if (!fact) throw factNotFound();
      return fact.text;
    }
    if (input.key === undefined) return `“${requireField(input, 'query')}”`;
    const key = requireKey(input.key);
    const held = await this.facts.findByKey(userId, key);
    if (held.length === 0 && (await this.history.ofKey(userId, key)).length === 0) {
      throw factNotFound();
    }
    return [key, held.map(({ text }) => text).join('; ')].filter(Boolean).join(' = ');
  }

  /** `DELETE /memories`: all facts and all history of the user. */
  async eraseAll(userId: string): Promise<EraseMemoriesOutput> {
    return this.uow.run(async () => {
      await this.facts.lock(userId);
      const count = await this.facts.deleteAll(userId);
      await this.history.deleteAll(userId);
      return { erased: true, count };
    });
  }

  private async forgetKey(key: string, input: ForgetInput, userId: string): Promise<ForgetOutput> {
    const held = await this.facts.findByKey(userId, key);
    if (held.length === 0 && (await this.history.ofKey(userId, key)).length === 0) {
      throw factNotFound();
    }
    if ((held.length > 1 || input.confirm !== undefined) && !isConfirmed(held, input)) {
      return preview(held);
    }
    const erased = await this.erase(userId, held);
    await this.history.deleteOfKey(userId, key);
    return erased;
  }

  private async forgetFound(
    query: string,
    input: ForgetInput,
    userId: string,
  ): Promise<ForgetOutput> {
    const found = await this.facts.candidates({
      userId,
      terms: queryTerms(query),
      match: 'all',
      asOf: this.clock.now(),
      limit: FORGET_MAX + 1,
    });
    if (found.length > FORGET_MAX) throw forgetsTooMany(FORGET_MAX);
    if (found.length === 0) throw input.confirm ? confirmationConflict() : factNotFound();
    const sorted = found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return isConfirmed(sorted, input) ? this.erase(userId, sorted) : preview(sorted);
  }

  private async erase(userId: string, facts: Fact[]): Promise<ForgetOutput> {
    const ids = facts.map(({ id }) => id);
    await this.history.deleteOfFacts(userId, ids);
    await this.facts.delete(userId, ids);
    // Without the texts: what is forgotten must not live on in the record of the call.
    const items = facts.map(({ id, key }) => ({ id, ...(key === null ? {} : { key }) }));
    return { forgotten: true, items, count: items.length };
  }
}

/** False without `confirm`. @throws CONFLICT when it is for something else. */
function isConfirmed(facts: Fact[], { confirm }: ForgetInput): boolean {
  if (confirm === undefined) return false;
  if (confirm !== confirmationOf(facts)) throw confirmationConflict();
  return true;
}

function preview(facts: Fact[]): ForgetOutput {
  const items = facts.map(({ id, key, text }) => ({ id, ...(key === null ? {} : { key }), text }));
  return { forgotten: false, items, count: items.length, confirm: confirmationOf(facts) };
}

/** Equal for the same facts in the same versions. */
function confirmationOf(facts: Fact[]): string {
  const named = facts.map(({ id, version }) => `${id}@${version}`).toSorted();
  return createHash('sha256').update(named.join(' ')).digest('hex').slice(0, 12);
}
