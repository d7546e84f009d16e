import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { toEndedView, toFactView } from './fact-view.js';
import { MemoryHistoryRepository } from './memory-history.repository.js';
import { MemoryRepository } from './memory.repository.js';

/** Rows that are in memory at once. */
const BATCH = 500;

/** Everything remembered of a user as one JSON document (`MemoryExport`), whatever its size. */
@Injectable()
export class MemoryExportService {
  constructor(
    private readonly facts: MemoryRepository,
    private readonly history: MemoryHistoryRepository,
    private readonly clock: Clock,
  ) {}

  /** Pieces of the document, in order; facts that have expired are in it too. */
  async *document(userId: string): AsyncGenerator<string> {
    const now = this.clock.now();
    const head = { format: 'steward.memory', formatVersion: 1, exportedAt: now.toISOString() };
    yield `${JSON.stringify(head).slice(0, -1)},"facts":[`;
    let comma = '';
    for (let page = await this.facts.pageById(userId, '', BATCH); page.length > 0;) {
      yield comma + page.map((fact) => JSON.stringify(toFactView(fact, now))).join(',');
      comma = ',';
      page = await this.facts.pageById(userId, page.at(-1)?.id ?? '', BATCH);
    }
    yield '],"history":[';
    comma = '';
    let after = { factId: '', version: 0 };
    for (;;) {
      const page = await this.history.page(userId, after, BATCH);
      const last = page.at(-1);
      if (!last) break;
      yield comma + page.map((past) => JSON.stringify(toEndedView(past))).join(',');
      comma = ',';
      after = { factId: last.factId, version: last.version };
    }
    yield ']}';
  }
}
