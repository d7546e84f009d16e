import type { Redis } from 'ioredis';
import { OutageLog } from './outage-log.js';

/** Milliseconds between two questions, and for an answer. */
const ASK_EVERY_MS = 2_000;
const SILENCE_MS = 1_500;

export interface WatchOptions {
  /** For the log. */
  name: string;
  /**
   * Whether it is asked for signs of life. One whose commands wait at the server answers nothing else
   * meanwhile: of it is known whether it stands.
   */
  asks: boolean;
}

/**
 * Looks at a connection that a library uses as it likes: whether it works. One that stands and is
 * silent is broken, so that whoever uses it gets a new one.
 */
export class WatchedConnection {
  private readonly outage: OutageLog;
  private readonly timer: NodeJS.Timeout | undefined;
  private asking = false;
  private silent = false;

  constructor(
    private readonly redis: Redis,
    { name, asks }: WatchOptions,
  ) {
    this.outage = new OutageLog(name);
    redis.on('ready', () => this.onAnswer());
    redis.on('close', () => this.outage.down('the connection was closed'));
    redis.on('error', (error: Error) => this.outage.down(error.message));
    if (asks) this.timer = setInterval(() => void this.ask(), ASK_EVERY_MS).unref();
  }

  /** Whether a command would reach a Redis that has answered last. */
  get up(): boolean {
    return this.redis.status === 'ready' && !this.silent;
  }

  /** From now on it ends because whoever uses it is done. */
  leave(): void {
    clearInterval(this.timer);
    this.outage.close();
  }

  close(): void {
    this.leave();
    this.redis.disconnect();
  }

  /** Never rejects. */
  private async ask(): Promise<void> {
    if (this.asking || this.redis.status !== 'ready') return;
    this.asking = true;
    const timer = setTimeout(() => this.onSilence(), SILENCE_MS).unref();
    try {
      // Sent again over the next connection where this one breaks: the answer comes sooner or later.
      await this.redis.ping();
      this.onAnswer();
    } catch {
      // It was closed, or refuses the command: its own events say so.
    } finally {
      clearTimeout(timer);
      this.asking = false;
    }
  }

  private onSilence(): void {
    this.silent = true;
    this.outage.down('no answer');
    this.redis.stream?.destroy();
  }

  private onAnswer(): void {
    this.silent = false;
    this.outage.up();
  }
}
