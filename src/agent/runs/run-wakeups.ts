import { Injectable } from '@nestjs/common';
import { Notifications } from '../../database/notifications.js';

/**
 * Tells the processes that execute runs that one waits. It saves them the time until their next look
 * and nothing else: what waits stands in the database, and a wake-up may be lost.
 */
export abstract class RunWakeups {
  /** Within the unit of work that lets a run wait: nobody is woken unless it commits. */
  abstract announce(): Promise<void>;

  /** @param wake called when runs may wait. @returns what ends it. */
  abstract onWake(wake: () => void): () => void;
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

  onWake(wake: () => void): () => void {
    const ends = [
      this.notifications.subscribe(CHANNEL, wake),
      // What was announced while nobody listened.
      this.notifications.onReconnect(wake),
    ];
    return () => {
      for (const end of ends) end();
    };
  }
}
