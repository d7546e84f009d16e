import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { EventTelemetry } from '../observability/event-telemetry.js';
import { toAppendError, isFaultOfAnEntry } from './append-error.js';
import { storedForm, toCommitted, withIds } from './append-batch.js';
import {
  AppendQueue,
  type AppendEntry,
  type AppendOutcome,
  type RunHolder,
} from './append-queue.js';
import { EventRepository, type RunBounds } from './event-repository.js';
import { EventResolver } from './event-resolver.js';
import { EventSignals } from './event-signals.js';
import { RecentEvents } from './recent-events.js';
import type { LoggedEvent, NewRunEvent, RunEvent } from './run-event.js';
import { RunLostError } from './run-lost-error.js';

/** Bytes of stored JSON after which `read` ends a page. */
const READ_MAX_BYTES = 4 * 1024 * 1024;

/**
 * The log of every thread's events, the source of live streams (PROTOCOL §12). An event is durable
 * before anyone can see it; ids grow by one in a thread, over all replicas.
 */
@Injectable()
export class EventLog implements BeforeApplicationShutdown {
  private readonly queue = new AppendQueue((entries) => this.write(entries));

  constructor(
    private readonly repository: EventRepository,
    private readonly recent: RecentEvents,
    private readonly signals: EventSignals,
    private readonly resolver: EventResolver,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
    private readonly telemetry: EventTelemetry,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.drained();
  }

  /**
   * Appends events of a run, in the order of calls within the thread; the events of one call are
   * stored together or not at all, and stamped with the current time unless they have one. Calls that come while a
   * write is under way are written together by the next one.
   *
   * `within` runs first, in one transaction with the events. Inside a unit of work the events
   * belong to it and become visible when it commits; as its locks may be what others wait for, such
   * a call does not wait for calls made outside: await those before.
   *
   * @param holder who must hold the run: a claim of another process comes either behind the events,
   *   and finds them, or before, and nothing is written. Before the first execution there is none.
   * @returns the events with their ids, once they are durable (inside a unit of work: written).
   * @throws RunLostError when the holder has lost the run; StewardError NOT_FOUND when the thread does not exist, CONFLICT when the run already
   *   has its RUN_STARTED or its terminal event, DEPENDENCY_UNAVAILABLE when the log cannot keep up.
   */
  async append(
    threadId: string,
    runId: string,
    events: NewRunEvent[],
    within?: () => Promise<void>,
    holder: RunHolder | null = null,
  ): Promise<LoggedEvent[]> {
    const entry = this.toEntry(threadId, runId, holder, events);
    if (this.repository.inTransaction) return this.commit(entry, within);
    if (within) return this.queue.turn(threadId, () => this.commit(entry, within));
    return events.length === 0 ? [] : this.queue.append(entry);
  }

  /**
   * Events after `afterId` as they are stored, oldest first, at most `limit`; a page of large events
   * is shorter. Results that lie in the object store are in their compact form: for recovery.
   */
  async read(threadId: string, afterId: number, limit: number): Promise<LoggedEvent[]> {
    const page = await this.repository.page(threadId, afterId, limit, READ_MAX_BYTES);
    return page.map((event) => event.logged);
  }

  /**
   * Every event after `afterId` once and in order: first what is stored, then what is appended, by
   * whichever replica. The consumer sets the pace; what it has not asked for is not held for it.
   * Ends when `signal` aborts or the thread is deleted.
   */
  async *follow(
    threadId: string,
    afterId: number,
    signal: AbortSignal,
  ): AsyncGenerator<LoggedEvent, void, void> {
    const watch = this.signals.watch(threadId);
    try {
      let last = afterId;
      let caughtUp = false;
      while (!signal.aborted && !watch.gone) {
        if (caughtUp) await watch.grown(last, signal);
        if (signal.aborted || watch.gone) return;
        const { heard } = watch;
        const events = await this.recent.after(threadId, last);
        for await (const event of this.resolver.resolved(events)) {
          if (signal.aborted) return;
          yield event;
          last = event.id;
        }
        if (events.length === 0) {
          caughtUp = true;
          watch.endsAt(last, heard);
        }
      }
    } finally {
      watch.close();
    }
  }

  /** The thread's active or most recent run; null when it has none. */
  async lastRun(threadId: string): Promise<RunBounds | null> {
    return this.repository.lastRun(threadId);
  }

  /** Id of the thread's last event; 0 when it has none. */
  async head(threadId: string): Promise<number> {
    return (await this.repository.heads([threadId])).get(threadId) ?? 0;
  }

  /** To be called in the unit of work that deletes a thread: its streams end, its memory is freed. */
  async forget(threadId: string): Promise<void> {
    await this.signals.announceDeleted(threadId);
    this.uow.afterCommit(() => this.signals.deleted(threadId));
  }

  private toEntry(
    threadId: string,
    runId: string,
    holder: RunHolder | null,
    events: NewRunEvent[],
  ): AppendEntry {
    const now = this.clock.now().getTime();
    const stamped: RunEvent[] = events.map((event) => ({
      ...event,
      timestamp: event.timestamp ?? now,
    }));
    return { threadId, runId, holder, ...storedForm(stamped) };
  }

  /** Writes one entry in a transaction of its own or in the caller's. */
  private async commit(entry: AppendEntry, within?: () => Promise<void>): Promise<LoggedEvent[]> {
    return this.uow.run(async () => {
      const { runId, holder } = entry;
      if (holder && !(await this.repository.hold(runId, holder))) throw new RunLostError();
      await within?.();
      if (entry.events.length === 0) return [];
      const { origin, notifies } = this.signals;
      // Held already, and `within` may have ended it.
      const { heads } = await this.repository
        .insert([{ ...entry, holder: null }], origin, notifies)
        .catch((error: unknown) => {
          throw toAppendError(error);
        });
      const [events = []] = withIds([entry], heads);
      this.uow.afterCommit(() => this.publish([entry], [events], heads, notifies));
      return events;
    });
  }

  /** Writes a batch; when an entry cannot be stored, its neighbours are written without it. */
  private async write(entries: AppendEntry[]): Promise<AppendOutcome[]> {
    try {
      const { origin, notifies } = this.signals;
      const { heads, lost } = await this.repository.insert(entries, origin, notifies);
      const written = entries.filter((entry) => !lost.has(entry));
      const placed = withIds(written, heads);
      this.publish(written, placed, heads, notifies);
      const places = new Map(written.map((entry, index) => [entry, placed[index] ?? []]));
      return entries.map((entry) => {
        const events = places.get(entry);
        return events ? { events } : { error: new RunLostError() };
      });
    } catch (error) {
      if (entries.length === 1 || !isFaultOfAnEntry(error)) {
        return entries.map(() => ({ error: toAppendError(error) }));
      }
    }
    const outcomes: AppendOutcome[] = [];
    for (const entry of entries) outcomes.push(...(await this.write([entry])));
    return outcomes;
  }

  private publish(
    entries: AppendEntry[],
    placed: LoggedEvent[][],
    heads: Map<string, number>,
    notified: boolean,
  ): void {
    const threads = new Map<string, { logged: LoggedEvent; bytes: number }[]>();
    entries.forEach((entry, index) => {
      const sized = threads.get(entry.threadId) ?? [];
      threads.set(entry.threadId, sized);
      placed[index]?.forEach((logged, place) => {
        sized.push({ logged, bytes: entry.sizes[place] ?? 0 });
      });
    });
    for (const [threadId, sized] of threads) this.recent.append(threadId, sized);
    for (const [threadId, head] of heads) this.signals.grown(threadId, head);
    this.telemetry.appended(placed.flat());
    if (notified) this.signals.notified(heads.size);
    else void this.signals.announce(toCommitted(entries, placed, heads));
  }
}
