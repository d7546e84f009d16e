import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RECALL_MAX } from './memory.limits.js';
import { MemoryRepository } from './memory.repository.js';
import type { Fact } from './rules/fact.js';
import { fitInto, rankForMessage, type Budget } from './rules/recall.js';
import { queryTerms, tellingTerms } from './rules/terms.js';

/** Facts chosen for a model, with their lines in the same order. */
export interface Recalled {
  facts: Fact[];
  lines: string[];
}

/** Which facts a model is told when somebody says something (seed `000`: the intent stage). */
@Injectable()
export class MemoryRecallService {
  constructor(
    private readonly facts: MemoryRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Facts that have to do with `message`, the surest first, then those about the person in general,
   * as many as fit the budget. Expired and superseded facts are never among them.
   */
  async recall(userId: string, message: string, budget: Budget): Promise<Recalled> {
    const now = this.clock.now();
    const terms = tellingTerms(queryTerms(message));
    const limit = RECALL_MAX;
    const [found, standing] = await Promise.all([
      this.facts.candidates({ userId, terms, match: 'any', asOf: now, unexpiredAt: now, limit }),
      this.facts.standing(userId, now, limit),
    ]);
    return fitInto(budget, rankForMessage(found, standing, terms, now));
  }
}
