import { Logger } from '@nestjs/common';
import type { Redis, RedisOptions } from 'ioredis';

/** A command without an answer for this long says that Redis does not work, in ms. */
const COMMAND_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 2_000;
/** Until a link that failed is believed again, in ms; a new connection is believed at once. */
const DOUBT_MS = 2_000;
const MAX_RETRY_DELAY_MS = 2_000;

export interface LinkOptions {
  /** For the log and for CLIENT LIST. */
  name: string;
  /** Milliseconds without an answer to a command after which the connection is given up. */
  silenceMs: number;
  /** Commands that wait at the server by themselves have no time limit of their own. */
  blocking?: boolean;
}

/**
 * One connection to Redis that is never waited for: a command goes out now or fails now, is answered
 * soon or fails, and nothing is kept to be sent later. Connects again by itself for as long as it is open.
 */
export class RedisLink {
  private readonly logger = new Logger('Redis');
  private readonly connected = new Set<() => void>();
  private readonly redis: Redis;
  private doubtedUntil = Number.NEGATIVE_INFINITY;
  private saidDown = false;
  private closed = false;

  constructor(
    create: (options: RedisOptions) => Redis,
    private readonly options: LinkOptions,
  ) {
    const { name, silenceMs, blocking = false } = options;
    this.redis = create({
      connectionName: `steward-${name}`,
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: silenceMs,
      ...(!blocking && { commandTimeout: COMMAND_TIMEOUT_MS }),
      retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 8), MAX_RETRY_DELAY_MS),
    });
    this.redis.on('ready', () => this.onReady());
    this.redis.on('close', () => this.onDown('the connection was closed'));
    this.redis.on('error', (error: Error) => this.onDown(error.message));
  }

  /** Begins to connect, and goes on until `close`. */
  open(): void {
    void this.redis.connect().catch(() => undefined);
  }

  close(): void {
    this.closed = true;
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
    try {
      const result = await commands(this.redis);
      this.onAnswer();
      return result;
    } catch (error) {
      this.doubtedUntil = performance.now() + DOUBT_MS;
      this.onDown(error instanceof Error ? error.message : 'a command failed');
      throw error;
    }
  }

  private onReady(): void {
    this.doubtedUntil = Number.NEGATIVE_INFINITY;
    this.onAnswer();
    for (const callback of this.connected) callback();
  }

  private onAnswer(): void {
    if (this.saidDown) this.logger.log(`Redis answers again (${this.options.name}).`);
    this.saidDown = false;
  }

  /** Said once: the message alone, because an error of the client carries its command. */
  private onDown(why: string): void {
    if (this.closed || this.saidDown) return;
    this.saidDown = true;
    const how = `Redis does not answer (${this.options.name}: ${why})`;
    this.logger.warn(`${how}; PostgreSQL tells the processes what they need to know.`);
  }
}
