import { Injectable } from '@nestjs/common';
import { Notifications } from '../../../database/notifications.js';
import type { RunKey } from '../run.js';

/**
 * Tells the processes that execute runs that one waits. It saves them the time until their next look
 * and nothing else: what waits stands in the database, and a wake-up may be lost.
 */
export abstract class RunWakeups {
  /**
   * Within the unit of work that lets a run wait: nobody is woken unless it commits.
   * @param run the one that waits; absent for several.
   */
  abstract announce(run?: RunKey): Promise<void>;

  /** @returns what ends it. */
  abstract onWake(wake: Wake): () => void;

  /** Whether this process is told of what only one process is told: not while it claims nothing. */
  setClaims(_claims: boolean): void {}
}

/** What a process does that is told of runs. */
export interface Wake {
  /** Runs may wait. */
  wake(): void;
  /**
   * A run waits, and only this process was told. Resolves once it is not, or no more, executed here.
   * @returns false when it still waits after this process has looked, so that others must be told.
   */
  takeUp(run: RunKey): Promise<boolean>;
}

const CHANNEL = 'agent_run_queued';

/** Wake-ups over LISTEN/NOTIFY. */
@Injectable()
export class NotifyRunWakeups extends RunWakeups {
  constructor(private readonly notifications: Notifications) {
    super();
  }

  announce(): Promise<void> {
    return this.notifications.publish(CHANNEL, '');
  }

  onWake(wake: Wake): () => void {
    const ends = [
      this.notifications.subscribe(CHANNEL, () => wake.wake()),
      // What was announced while nobody listened.
      this.notifications.onReconnect(() => wake.wake()),
    ];
    return () => {
      for (const end of ends) end();
    };
  }
}
