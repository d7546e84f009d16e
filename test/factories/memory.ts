import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { CredentialScreening } from '../../src/bindings/memory-screening.js';
import { MemoryFact } from '../../src/modules/memory/entities/memory-fact.entity.js';
import { MemoryHistory } from '../../src/modules/memory/entities/memory-history.entity.js';
import { MemoryExportService } from '../../src/modules/memory/memory-export.service.js';
import { MemoryForgettingService } from '../../src/modules/memory/memory-forgetting.service.js';
import { MemoryHistoryRepository } from '../../src/modules/memory/memory-history.repository.js';
import { MemoryReadingService } from '../../src/modules/memory/memory-reading.service.js';
import { MemoryRecallService } from '../../src/modules/memory/memory-recall.service.js';
import { MemoryWriting } from '../../src/modules/memory/memory-writing.js';
import type { MemoryCaller } from '../../src/modules/memory/memory.caller.js';
import { MemoryRepository } from '../../src/modules/memory/memory.repository.js';
import { MemoryService } from '../../src/modules/memory/memory.service.js';
import type { MemoryOperation } from '../../src/modules/memory/dto/update-input.dto.js';
import type { MemoryChange } from '../../src/modules/memory/dto/update-output.dto.js';
import { createTestDatabase } from '../support/database.js';

/** A clock that a test moves. */
export class MovableClock extends Clock {
  time = new Date('2026-04-20T08:00:00Z');

  override now(): Date {
    return new Date(this.time);
  }

  /** Moves on by so many days, and a second, so that what follows is newer. */
  pass(days = 0): void {
    this.time = new Date(this.time.getTime() + days * 86_400_000 + 1000);
  }
}

/** Whom things are remembered of, and somebody who has no business with them. */
export const OWNER = 'usr_owner';
export const STRANGER = 'usr_stranger';

/** The memory's services on a database of their own. */
export async function createMemory() {
  const database = await createTestDatabase();
  const dataSource = await new DataSource({
    ...dataSourceOptions({ url: database.url, poolSize: 8 }),
    entities: [MemoryFact, MemoryHistory],
  }).initialize();
  const uow = new UnitOfWork(dataSource);
  const clock = new MovableClock();
  const facts = new MemoryRepository(uow);
  const history = new MemoryHistoryRepository(uow);
  const writing = new MemoryWriting(facts, history);
  const memory = new MemoryService(writing, facts, new CredentialScreening(), uow, clock);
  const caller = (userId = OWNER, runId: string | null = 'run_1'): MemoryCaller => ({
    userId,
    runId,
    source: 'agent_inferred',
  });
  return {
    dataSource,
    uow,
    clock,
    facts,
    memory,
    caller,
    reading: new MemoryReadingService(facts, history, clock),
    forgetting: new MemoryForgettingService(facts, history, uow, clock),
    exporting: new MemoryExportService(facts, history, clock),
    recall: new MemoryRecallService(facts, clock),
    /** One change by the owner; a second passes first. */
    change: async (operation: MemoryOperation, userId = OWNER): Promise<MemoryChange> => {
      clock.pass();
      const { items } = await memory.update(operation, caller(userId));
      const [change] = items;
      if (!change) throw new Error('no change');
      return change;
    },
    /** The id of a fact that is remembered. */
    add: async (operation: MemoryOperation, userId = OWNER): Promise<string> => {
      clock.pass();
      const { items } = await memory.update(operation, caller(userId));
      const id = items[0]?.fact?.id;
      if (id === undefined) throw new Error('no fact');
      return id;
    },
    empty: async () => {
      await dataSource.query('DELETE FROM memory_facts');
      await dataSource.query('DELETE FROM memory_history');
    },
    close: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

export type TestMemory = Awaited<ReturnType<typeof createMemory>>;
