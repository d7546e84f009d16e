import type { Clock } from '../../common/clock.js';
import type { RunHolder } from '../../events/append-queue.js';
import type { EventLog } from '../../events/event-log.js';
import type { NewRunEvent } from '../../events/run-event.js';
import type { MessageStore } from '../../threads/message.store.js';
import type { Row, RunPlace } from './run-rows.js';
import { RunStateEvents } from './run-state-events.js';

export interface AppenderPorts {
  log: Pick<EventLog, 'append'>;
  messages: Pick<MessageStore, 'appendAll'>;
  clock: Clock;
  /** Who writes: nothing becomes durable once another process has claimed the run. */
  holder: RunHolder | null;
}

/**
 * Makes a run's events durable, those of its state among them, each in one transaction with the rows that
 * it completes. After a failed write it is not known what clients will see, so every later one fails with
 * the same error.
 */
export class RunAppender {
  private readonly state: RunStateEvents;
  private failure: { error: unknown } | null = null;

  /** @param stateTold whether the log has the run's state already. */
  constructor(
    private readonly ports: AppenderPorts,
    private readonly run: RunPlace,
    stateTold: boolean,
  ) {
    this.state = new RunStateEvents(run.runId, stateTold);
  }

  get failed(): boolean {
    return this.failure !== null;
  }

  /** @throws what an earlier write failed with. */
  check(): void {
    if (this.failure) throw this.failure.error;
  }

  /** Nothing more is written; the first error stays. */
  fail(error: unknown): void {
    this.failure ??= { error };
  }

  /**
   * @param events are made when it is their turn; that they cannot be made is a failure, too.
   * @param within commits with them.
   */
  async append(
    events: () => NewRunEvent[],
    rows: Row[],
    within?: () => Promise<void>,
  ): Promise<void> {
    this.check();
    try {
      await this.commit(events(), rows, within);
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  private async commit(
    events: NewRunEvent[],
    rows: Row[],
    within?: () => Promise<void>,
  ): Promise<void> {
    const told = this.state.with(events);
    if (rows.length === 0 && within === undefined) return this.write(told);
    // One instant for a row and its event: live and replayed items carry the same time.
    const at = this.ports.clock.now();
    await this.write(
      told.map((event) => ({ ...event, timestamp: at.getTime() })),
      async () => {
        await within?.();
        await this.ports.messages.appendAll(rows.map((row) => ({ ...row, createdAt: at })));
      },
    );
  }

  private async write(events: NewRunEvent[], within?: () => Promise<void>): Promise<void> {
    if (events.length === 0 && !within) return;
    const { log, holder } = this.ports;
    await log.append(this.run.threadId, this.run.runId, events, within, holder);
  }
}
