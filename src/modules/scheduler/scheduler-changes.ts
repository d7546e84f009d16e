import { Injectable } from '@nestjs/common';
import { Notifications } from '../../database/notifications.js';

const CHANNEL = 'scheduler';

/** Tells every replica that a task may be due sooner than it thought. */
@Injectable()
export class SchedulerChanges {
  constructor(private readonly notifications: Notifications) {}

  /** Inside a unit of work, once it commits. */
  publish(): Promise<void> {
    return this.notifications.publish(CHANNEL, '');
  }

  /** @returns what ends the subscription. */
  subscribe(changed: () => void): () => void {
    const ends = [
      this.notifications.subscribe(CHANNEL, changed),
      this.notifications.onReconnect(changed),
    ];
    return () => {
      for (const end of ends) end();
    };
  }
}
