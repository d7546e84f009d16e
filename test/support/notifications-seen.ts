import { Notifications } from '../../src/database/notifications.js';
import type { TestApp } from './test-app.js';

/** Waits for a notification to have reached a replica, instead of for some time to pass. */
export class NotificationsSeen {
  private readonly seen: Promise<void>;

  constructor({ app }: TestApp, channel: string) {
    const notifications = app.get(Notifications, { strict: false });
    this.seen = new Promise((resolve) => {
      // Handlers are called in the order of their subscription: those of the product were first.
      const end = notifications.subscribe(channel, () => {
        end();
        resolve();
      });
    });
  }

  /** Resolves once the product has handled the next notification. */
  next(): Promise<void> {
    return this.seen;
  }
}
