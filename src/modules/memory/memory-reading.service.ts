import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { FactView, ReadMemoryOutput } from './dto/fact-view.dto.js';
import type { FactListFields, ReadMemoryInput } from './dto/read-input.dto.js';
import { toEndedView, toFactView } from './fact-view.js';
import { MemoryHistoryRepository } from './memory-history.repository.js';
import { factNotFound } from './memory.errors.js';
import { PAGE_DEFAULT } from './memory.limits.js';
import { MemoryRepository } from './memory.repository.js';
import {
  decodeListCursor,
  decodeSearchCursor,
  encodeListCursor,
  encodeSearchCursor,
} from './rules/cursor.js';
import { requireKey } from './rules/draft.js';
import { isExpired } from './rules/fact.js';
import { refuseFields, requireField, requireOneOf } from '../../common/required-fields.js';
import { byRank, coverage, matchOf, scoreOf } from './rules/score.js';
import { queryTerms } from './rules/terms.js';

/** What a user sees of what is remembered about them. */
@Injectable()
export class MemoryReadingService {
  constructor(
    private readonly facts: MemoryRepository,
    private readonly history: MemoryHistoryRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * `memory.read`: a list, a search, or one fact or key with what was said before.
   * @throws INVALID_ACTION_INPUT for fields that the mode lacks or does not have; NOT_FOUND for a
   *   fact or key of which nothing is remembered.
   */
  read(input: ReadMemoryInput, userId: string): Promise<ReadMemoryOutput> {
    switch (input.mode) {
      case 'list':
        refuseFields(input, ['query', 'fact_id'], 'does not go with mode list.');
        return this.list(input, userId);
      case 'search':
        requireField(input, 'query');
        refuseFields(input, ['key', 'fact_id'], 'does not go with mode search.');
        return this.list(input, userId);
      case 'item':
        refuseFields(
          input,
          ['query', 'limit', 'cursor', 'include_expired'],
          'does not go with mode item.',
        );
        requireOneOf(input, ['fact_id', 'key']);
        return input.key === undefined
          ? this.item(requireField(input, 'fact_id'), userId)
          : this.key(input.key, userId);
    }
  }

  /** The last said first; with `query` a search, the best first. */
  async list(fields: FactListFields, userId: string): Promise<ReadMemoryOutput> {
    if (fields.query !== undefined) {
      refuseFields(fields, ['key'], 'does not go with query.');
      return this.search(fields.query, fields, userId);
    }
    const now = this.clock.now();
    const limit = fields.limit ?? PAGE_DEFAULT;
    const found = await this.facts.list({
      userId,
      key: fields.key === undefined ? undefined : requireKey(fields.key),
      unexpiredAt: fields.include_expired ? undefined : now,
      after: fields.cursor === undefined ? undefined : decodeListCursor(fields.cursor),
      limit: limit + 1,
    });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return pageOf(
      shown.map((fact) => toFactView(fact, now)),
      last && encodeListCursor(last),
    );
  }

  /**
   * One fact and its earlier versions; also one that has expired.
   * @throws NOT_FOUND
   */
  async item(factId: string, userId: string): Promise<ReadMemoryOutput> {
    const fact = await this.facts.find(userId, factId);
    if (!fact) throw factNotFound();
    const history = await this.history.ofFact(userId, factId);
    const items = [toFactView(fact, this.clock.now())];
    return { items, count: 1, history: history.map(toEndedView) };
  }

  /** What holds of a key, and all that was said of it before. @throws NOT_FOUND */
  private async key(name: string, userId: string): Promise<ReadMemoryOutput> {
    const key = requireKey(name);
    const held = await this.facts.findByKey(userId, key);
    const history = await this.history.ofKey(userId, key);
    if (held.length === 0 && history.length === 0) throw factNotFound();
    const now = this.clock.now();
    const items = held.filter((fact) => !isExpired(fact, now)).map((fact) => toFactView(fact, now));
    return { items, count: items.length, history: history.map(toEndedView) };
  }

  /** The best CANDIDATES_MAX are ranked, as of the first page's instant. */
  private async search(
    query: string,
    fields: FactListFields,
    userId: string,
  ): Promise<ReadMemoryOutput> {
    const now = this.clock.now();
    const limit = fields.limit ?? PAGE_DEFAULT;
    const after = fields.cursor === undefined ? null : decodeSearchCursor(fields.cursor, query);
    const asOf = after?.asOf ?? now;
    const terms = queryTerms(query);
    const candidates = await this.facts.candidates({
      userId,
      terms,
      match: 'any',
      asOf,
      unexpiredAt: fields.include_expired ? undefined : now,
    });
    const ranked = candidates
      .map((fact) => ({ fact, relevance: coverage(matchOf(fact, terms)) }))
      .filter(({ relevance }) => relevance > 0)
      .map(({ fact, relevance }) => ({ fact, score: scoreOf(fact, relevance, asOf) }))
      .toSorted(byRank)
      .filter(
        ({ fact, score }) =>
          !after || score < after.score || (score === after.score && fact.id < after.id),
      );
    const shown = ranked.slice(0, limit);
    const last = ranked.length > limit ? shown.at(-1) : undefined;
    return pageOf(
      shown.map(({ fact, score }) => toFactView(fact, now, score)),
      last && encodeSearchCursor({ asOf, score: last.score, id: last.fact.id }, query),
    );
  }
}

function pageOf(items: FactView[], nextCursor: string | undefined): ReadMemoryOutput {
  return { items, count: items.length, ...(nextCursor === undefined ? {} : { nextCursor }) };
}
