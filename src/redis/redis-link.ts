import type { Redis, RedisOptions } from 'ioredis';
import { OutageLog } from './outage-log.js';

/** Milliseconds for a connection to be made. */
export const CONNECT_TIMEOUT_MS = 2_000;
/** Until a link that failed is believed again, in ms; a new connection is believed at once. */
const DOUBT_MS = 2_000;
const MAX_RETRY_DELAY_MS = 2_000;

/** Milliseconds until the next attempt to connect: soon at first, then every two seconds. */
export function retryStrategy(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 8), MAX_RETRY_DELAY_MS);
}

export interface LinkOptions {
  /** For the log and for CLIENT LIST. */
  name: string;
  /** Milliseconds that a command may take; after them the connection is given up with all it carries. */
  silenceMs: number;
}

/**
 * One connection to Redis that is never waited for: a command goes out now or fails now, is answered
 * soon or fails, and nothing is kept to be sent later. Connects again by itself for as long as it is open.
 */
export class RedisLink {
  private readonly outage: OutageLog;
  private readonly connected = new Set<() => void>();
  private readonly redis: Redis;
  private doubtedUntil = Number.NEGATIVE_INFINITY;
  private handshake: NodeJS.Timeout | undefined;

  constructor(
    create: (options: RedisOptions) => Redis,
    private readonly options: LinkOptions,
  ) {
    this.outage = new OutageLog(options.name);
    this.redis = create({
      connectionName: `steward-${options.name}`,
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy,
    });
    this.redis.on('connect', () => this.onSocket());
    this.redis.on('ready', () => this.onReady());
    this.redis.on('close', () => {
      clearTimeout(this.handshake);
      this.outage.down('the connection was closed');
    });
    this.redis.on('error', (error: Error) => this.outage.down(error.message));
  }

  /** Begins to connect, and goes on until `close`. */
  open(): void {
    void this.redis.connect().catch(() => undefined);
  }

  close(): void {
    this.outage.close();
    this.redis.disconnect();
  }

  /** Whether a command would reach a Redis that has worked last. */
  get up(): boolean {
    return this.redis.status === 'ready' && performance.now() >= this.doubtedUntil;
  }

  /** Calls `callback` with every new connection. */
  onConnect(callback: () => void): void {
    this.connected.add(callback);
    if (this.redis.status === 'ready') callback();
  }

  /**
   * Runs commands.
   * @throws whatever they throw; the link is not up for a moment then.
   */
  async run<T>(commands: (redis: Redis) => Promise<T>): Promise<T> {
    const watchdog = this.watchdog();
    try {
      const result = await commands(this.redis);
      this.outage.up();
      return result;
    } catch (error) {
      this.doubtedUntil = performance.now() + DOUBT_MS;
      this.outage.down(error instanceof Error ? error.message : 'a command failed');
      throw error;
    } finally {
      clearTimeout(watchdog);
    }
  }

  /**
   * A Redis that is stopped, not ended, takes connections and answers nothing. Destroying the socket
   * frees what waits for it, and begins a new connection.
   */
  private watchdog(): NodeJS.Timeout {
    const { stream } = this.redis;
    return setTimeout(() => stream?.destroy(), this.options.silenceMs).unref();
  }

  private onSocket(): void {
    clearTimeout(this.handshake);
    this.handshake = this.watchdog();
  }

  private onReady(): void {
    clearTimeout(this.handshake);
    this.doubtedUntil = Number.NEGATIVE_INFINITY;
    this.outage.up();
    for (const callback of this.connected) callback();
  }
}
