import { createHash } from 'node:crypto';
import type { Redis, RedisOptions } from 'ioredis';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CONNECT_TIMEOUT_MS, RedisLink, retryStrategy, type LinkOptions } from './redis-link.js';
import { WatchedConnection, type WatchOptions } from './watched-connection.js';

/** Injection token of RedisClients; null without REDIS_URL. */
export const REDIS_CLIENTS = Symbol('REDIS_CLIENTS');

/** What Redis is used for: waking processes for runs that wait, and telling of events. */
export type RedisUse = 'runs' | 'events';

/** A connection that a library uses. */
export interface LentConnection {
  redis: Redis;
  /** The library is about to close it. */
  leave(): void;
}

interface Connection {
  readonly up: boolean;
  close(): void;
}

/** Connections to the Redis of this deployment, and the prefix of its keys there. */
export class RedisClients {
  private readonly connections: Connection[] = [];
  private readonly fallbacks = new Set<(use: RedisUse, count: number) => void>();

  constructor(
    /** Ends without a colon: `steward:1f9c2a7be3d0`. */
    readonly prefix: string,
    private readonly create: (options: RedisOptions) => Redis,
  ) {}

  /** Whether every connection works, also those that were lent. */
  get up(): boolean {
    return this.connections.every((connection) => connection.up);
  }

  /** A connection that is closed with the process. */
  link(options: LinkOptions): RedisLink {
    const link = new RedisLink(this.create, options);
    this.connections.push(link);
    return link;
  }

  /**
   * A connection for a library that keeps commands until Redis is back, and may make others of it for
   * commands that wait at the server. All are closed with the process, if not before.
   */
  lend(name: string): LentConnection {
    const watched: WatchedConnection[] = [];
    const watch = (redis: Redis, options: WatchOptions): void => {
      const connection = new WatchedConnection(redis, options);
      watched.push(connection);
      this.connections.push(connection);
    };
    const redis = this.create({
      connectionName: `steward-${name}`,
      maxRetriesPerRequest: null,
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy,
    });
    watch(redis, { name, asks: true });
    const duplicate = redis.duplicate.bind(redis);
    redis.duplicate = (options) => {
      const other = duplicate(options);
      watch(other, { name: `${name}-wait`, asks: false });
      return other;
    };
    return {
      redis,
      leave: () => {
        for (const connection of watched) connection.leave();
      },
    };
  }

  /** Calls `callback` when something was told over PostgreSQL, because Redis would not take it. */
  onFallback(callback: (use: RedisUse, count: number) => void): void {
    this.fallbacks.add(callback);
  }

  /** Notes that so many things were told over PostgreSQL. */
  fellBack(use: RedisUse, count = 1): void {
    for (const callback of this.fallbacks) callback(use, count);
  }

  onModuleDestroy(): void {
    for (const connection of this.connections) connection.close();
  }
}

/**
 * A name for the database that all processes of a deployment share: what two deployments put into
 * one Redis never meets, although clients may give threads of both the same id.
 */
export async function deploymentName(uow: UnitOfWork): Promise<string> {
  const [row] = await uow.manager.query<{ name: string }[]>(
    `SELECT system_identifier::text || '/' ||
            (SELECT oid FROM pg_database WHERE datname = current_database())::text AS name
     FROM pg_control_system()`,
  );
  const digest = createHash('sha256').update(row?.name ?? '');
  return `steward:${digest.digest('hex').slice(0, 12)}`;
}
