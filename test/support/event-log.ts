import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { newId } from '../../src/common/ids.js';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { Notifications } from '../../src/database/notifications.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import type { EventBroadcast } from '../../src/events/event-broadcast.js';
import { EventLog } from '../../src/events/event-log.js';
import { EventRepository } from '../../src/events/event-repository.js';
import { EventResolver } from '../../src/events/event-resolver.js';
import { EventSignals, type PollIntervals } from '../../src/events/event-signals.js';
import { RecentEvents } from '../../src/events/recent-events.js';
import { EventTelemetry } from '../../src/observability/event-telemetry.js';
import { Metrics } from '../../src/observability/metrics.js';
import { RunTelemetry } from '../../src/observability/run-telemetry.js';
import { Tracing } from '../../src/observability/tracing.js';
import type { ObjectStore } from '../../src/object-store/object-store.js';
import { RecordReader } from '../../src/tool-output/storage/record-reader.js';
import { MemoryObjectStore } from './memory-object-store.js';

/** One replica's event log on a test database. */
export interface TestLog {
  events: EventLog;
  uow: UnitOfWork;
  dataSource: DataSource;
  /** Makes a thread row and returns its id. */
  thread(id?: string): Promise<string>;
  /** Pages that were read from the database so far. */
  pagesRead(): number;
  close(): Promise<void>;
}

export interface TestLogOptions {
  /** False: never hears of other replicas by notification, as when the connection is down. */
  listening?: boolean;
  poll?: PollIntervals;
  /** How replicas tell each other of events besides notifications. */
  broadcast?: EventBroadcast;
  /** Where results of the stored tier lie; absent, an empty one. */
  store?: ObjectStore;
}

class CountedReads extends EventRepository {
  pages = 0;

  override page(...args: Parameters<EventRepository['page']>): ReturnType<EventRepository['page']> {
    this.pages += 1;
    return super.page(...args);
  }
}

/** Opens what a replica has of the event log; call it twice for two replicas. */
export async function openLog(url: string, options: TestLogOptions = {}): Promise<TestLog> {
  const database = { url, poolSize: 8 };
  const dataSource = await new DataSource(dataSourceOptions(database)).initialize();
  const uow = new UnitOfWork(dataSource);
  const notifications = new Notifications(database, uow);
  const repository = new CountedReads(uow);
  const recent = new RecentEvents(repository);
  const signals = new EventSignals(
    notifications,
    repository,
    recent,
    options.poll ?? { disconnected: 50, connected: 30_000 },
    options.broadcast ?? null,
  );
  const config = { TOOL_OUTPUT_READ_TIMEOUT_MS: 2_000 };
  const resolver = new EventResolver(
    new RecordReader(options.store ?? new MemoryObjectStore(), config),
  );
  const metrics = new Metrics();
  const events = new EventLog(
    repository,
    recent,
    signals,
    resolver,
    uow,
    new Clock(),
    new EventTelemetry(metrics, new RunTelemetry(metrics, new Tracing(null))),
  );
  signals.onModuleInit();
  if (options.listening !== false) await notifications.onApplicationBootstrap();
  return {
    events,
    uow,
    dataSource,
    pagesRead: () => repository.pages,
    thread: async (id = newId('thr')) => {
      await dataSource.query(
        `INSERT INTO agent_threads (id, user_id, title, last_seq, created_at, updated_at)
         VALUES ($1, 'usr_test', '', 0, now(), now())`,
        [id],
      );
      return id;
    },
    close: async () => {
      await events.beforeApplicationShutdown();
      await signals.onModuleDestroy();
      await notifications.onModuleDestroy();
      await dataSource.destroy();
    },
  };
}
