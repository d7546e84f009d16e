import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What the connections to the database do at this moment. */
export interface PoolUse {
  idle: number;
  inUse: number;
  /** Callers that wait for a connection. */
  waiting: number;
}

/** Looks at the pool that the driver keeps. */
@Injectable()
export class ConnectionPool {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws Error before the pool is open. */
  use(): PoolUse {
    // The driver's type says nothing of the pool of its dialect.
    const pool: unknown = Reflect.get(this.dataSource.driver, 'master');
    const idle = count(pool, 'idleCount');
    return {
      idle,
      inUse: count(pool, 'totalCount') - idle,
      waiting: count(pool, 'waitingCount'),
    };
  }
}

function count(pool: unknown, name: string): number {
  const value: unknown =
    typeof pool === 'object' && pool !== null ? Reflect.get(pool, name) : undefined;
  if (typeof value !== 'number') throw new Error(`the pool has no ${name}`);
  return value;
}
