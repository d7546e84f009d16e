import { createHash } from 'node:crypto';
import type { Redis, RedisOptions } from 'ioredis';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RedisLink, type LinkOptions } from './redis-link.js';

/** Injection token of RedisClients; null without REDIS_URL. */
export const REDIS_CLIENTS = Symbol('REDIS_CLIENTS');

/** Connections to the Redis of this deployment, and the prefix of its keys there. */
export class RedisClients {
  private readonly links: RedisLink[] = [];

  constructor(
    /** Ends without a colon: `steward:1f9c2a7be3d0`. */
    readonly prefix: string,
    readonly create: (options: RedisOptions) => Redis,
  ) {}

  /** Whether every connection works. */
  get up(): boolean {
    return this.links.every((link) => link.up);
  }

  /** A connection that is closed with the process. */
  link(options: LinkOptions): RedisLink {
    const link = new RedisLink(this.create, options);
    this.links.push(link);
    return link;
  }

  onModuleDestroy(): void {
    for (const link of this.links) link.close();
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
