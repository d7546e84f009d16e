import type { SseConnection } from './sse-connection.js';

/**
 * One timer for all streams. It looks twice in an interval and comments on what was quiet for half
 * of it, so a stream is never silent for a whole one.
 */
export class Heartbeats {
  private readonly connections = new Set<SseConnection>();
  private timer: NodeJS.Timeout | null = null;

  /** @param intervalMs longest silence of a stream, in milliseconds. */
  constructor(private readonly intervalMs: number) {}

  add(connection: SseConnection): void {
    this.connections.add(connection);
    if (this.timer) return;
    this.timer = setInterval(() => this.beat(), this.intervalMs / 2);
    this.timer.unref();
  }

  remove(connection: SseConnection): void {
    this.connections.delete(connection);
    if (this.connections.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private beat(): void {
    for (const connection of this.connections) connection.beat(this.intervalMs / 2);
  }
}
