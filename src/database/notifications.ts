import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DATABASE_OPTIONS, type DatabaseOptions } from './data-source.js';
import { ListenConnection } from './listen-connection.js';
import { UnitOfWork } from './unit-of-work.js';

export type NotificationHandler = (payload: string) => void;

const CHANNEL_NAME = /^[a-z_]{1,60}$/;
/** PostgreSQL refuses a payload of 8000 bytes; this leaves room. */
const MAX_PAYLOAD_BYTES = 7000;
const RECONNECT_DELAYS_MS = [50, 200, 500, 1000];

/**
 * Messages between all replicas over PostgreSQL LISTEN/NOTIFY, this process included. Delivery is
 * at most once: while `connected` is false messages are lost, so a subscriber re-reads its truth
 * from the database in `onReconnect` and does not trust its memory in the meantime. A connection
 * that dies without a word is noticed within about a second; what must hold for sooner than that
 * does not rely on notifications alone.
 */
@Injectable()
export class Notifications implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Notifications.name);
  private readonly handlers = new Map<string, Set<NotificationHandler>>();
  private readonly reconnected = new Set<() => void>();
  private connection: ListenConnection | null = null;
  /** Channels that the server has not confirmed yet. */
  private unheard = 0;
  private closed = false;
  private attempt = 0;
  private retry: NodeJS.Timeout | null = null;

  constructor(
    @Inject(DATABASE_OPTIONS) private readonly options: DatabaseOptions,
    private readonly uow: UnitOfWork,
  ) {}

  /** False while messages of other replicas may be missed. */
  get connected(): boolean {
    return this.connection !== null && this.unheard === 0;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.connect();
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    if (this.retry) clearTimeout(this.retry);
    const { connection } = this;
    this.connection = null;
    await connection?.close();
  }

  /**
   * Sends `payload` (at most 7000 bytes of UTF-8) to every replica; inside a unit of work, when it
   * commits.
   */
  async publish(channel: string, payload: string): Promise<void> {
    assertChannel(channel);
    if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) {
      throw new RangeError(`A notification is at most ${MAX_PAYLOAD_BYTES} bytes.`);
    }
    await this.uow.manager.query('SELECT pg_notify($1, $2)', [channel, payload]);
  }

  /**
   * Calls `handler` with every payload of the channel. While the server has not confirmed a channel
   * that is new to this process, `connected` is false.
   * @returns what ends the subscription.
   */
  subscribe(channel: string, handler: NotificationHandler): () => void {
    assertChannel(channel);
    const existing = this.handlers.get(channel);
    const handlers = existing ?? new Set<NotificationHandler>();
    handlers.add(handler);
    if (!existing) {
      this.handlers.set(channel, handlers);
      if (this.connection) void this.listen(this.connection, channel);
    }
    return () => {
      handlers.delete(handler);
    };
  }

  /**
   * Calls `callback` each time listening begins: the first time, after a loss, and when a channel
   * has been added. @returns what ends it.
   */
  onReconnect(callback: () => void): () => void {
    this.reconnected.add(callback);
    return () => {
      this.reconnected.delete(callback);
    };
  }

  private async connect(): Promise<void> {
    let connection: ListenConnection | undefined;
    try {
      connection = await ListenConnection.open(this.options.url, {
        notification: (channel, payload) => this.deliver(channel, payload),
        lost: (reason) => this.onLost(connection, reason),
      });
      // The keys are a live view: a channel that is added meanwhile has its turn too.
      for (const channel of this.handlers.keys()) await connection.listen(channel);
    } catch {
      await connection?.close();
      this.scheduleReconnect();
      return;
    }
    if (this.closed) {
      await connection.close();
      return;
    }
    this.connection = connection;
    this.unheard = 0;
    this.attempt = 0;
    this.tellListening();
  }

  /** Adds a channel to a connection in use; one that does not take it is given up by itself. */
  private async listen(connection: ListenConnection, channel: string): Promise<void> {
    this.unheard += 1;
    try {
      await connection.listen(channel);
    } catch {
      return;
    }
    if (this.connection !== connection) return;
    this.unheard -= 1;
    if (this.unheard === 0) this.tellListening();
  }

  private tellListening(): void {
    for (const callback of this.reconnected) callback();
  }

  private onLost(connection: ListenConnection | undefined, reason: string): void {
    if (connection === undefined || this.connection !== connection) return;
    this.connection = null;
    this.logger.warn(`The notification connection was lost (${reason}); reconnecting.`);
    this.scheduleReconnect();
  }

  private scheduleReconnect(): void {
    if (this.closed) return;
    const delay = RECONNECT_DELAYS_MS[Math.min(this.attempt, RECONNECT_DELAYS_MS.length - 1)];
    this.attempt += 1;
    this.retry = setTimeout(() => void this.connect(), delay);
    this.retry.unref();
  }

  private deliver(channel: string, payload: string): void {
    for (const handler of this.handlers.get(channel) ?? []) {
      try {
        handler(payload);
      } catch (error) {
        this.logger.error(`A handler of "${channel}" failed: ${String(error)}`);
      }
    }
  }
}

function assertChannel(channel: string): void {
  if (!CHANNEL_NAME.test(channel)) throw new TypeError('A channel is named with a-z and _.');
}
