import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { withStatementSignal, withoutStatementSignal } from './statement-signal.js';

interface Scope {
  manager: EntityManager;
  afterCommit: (() => void)[];
  outer: Scope | undefined;
  /** Set once the work has ended, or was given up. */
  over: boolean;
}

/**
 * PostgreSQL answers a COMMIT with success where a statement has failed before, though it rolls back; the
 * statement in front of it fails then. What waits for the commit must not hear of one that never was.
 */
const COMMIT = 'SELECT 1; COMMIT';

function isOver(scope: Scope): boolean {
  return scope.over || (scope.outer !== undefined && isOver(scope.outer));
}

/**
 * The transaction that the current asynchronous call runs in. Repositories take `manager` at every
 * use, so that a service, the router and a record commit together without passing a manager along.
 */
@Injectable()
export class UnitOfWork {
  private readonly scopes = new AsyncLocalStorage<Scope>();

  constructor(private readonly dataSource: DataSource) {}

  /**
   * The current transaction's manager, or the plain one outside a transaction.
   * @throws Error in work that goes on after its transaction: given up on a timeout, its statements
   * would otherwise run behind the ROLLBACK, each committed by itself.
   */
  get manager(): EntityManager {
    const scope = this.scopes.getStore();
    if (!scope) return this.dataSource.manager;
    if (isOver(scope)) throw new Error('The transaction of this work is over.');
    return scope.manager;
  }

  /**
   * Runs `work` in a transaction; inside another one, in a savepoint of it. A throw rolls back what
   * `work` did, and is passed on.
   * @throws QueryFailedError when a statement of it has failed, though `work` passed over that.
   * @param signal cancels the statement that is under way, such as one that waits for a lock, and keeps
   *   others from beginning, until `work` has ended: what is being committed is committed. Only that of an
   *   outermost transaction counts.
   * @throws the signal's reason where it has aborted before.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const outer = this.scopes.getStore();
    const scope: Scope = { manager: this.manager, afterCommit: [], outer, over: false };
    const within = async (manager: EntityManager): Promise<T> => {
      scope.manager = manager;
      try {
        return await this.scopes.run(scope, work);
      } finally {
        scope.over = true;
      }
    };
    const result = outer
      ? await this.manager.transaction(within)
      : await this.inTransaction(within, signal);
    if (outer) outer.afterCommit.push(...scope.afterCommit);
    else for (const callback of scope.afterCommit) withoutStatementSignal(callback);
    return result;
  }

  /**
   * Ends the transaction by its own statement, not by the runner's count of savepoints: work that was
   * given up inside one leaves it open, and its connection would go back to the pool in the middle of
   * a transaction.
   */
  private async inTransaction<T>(
    work: (manager: EntityManager) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      signal?.throwIfAborted();
      const { manager } = runner;
      const result = await (signal
        ? withStatementSignal(signal, () => work(manager))
        : work(manager));
      await runner.query(COMMIT);
      return result;
    } catch (error) {
      // A connection that cannot roll back is broken, and the pool drops it.
      await runner.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** Calls `callback` once the outermost transaction has committed; at once when there is none. */
  afterCommit(callback: () => void): void {
    const scope = this.scopes.getStore();
    if (scope) scope.afterCommit.push(callback);
    else withoutStatementSignal(callback);
  }
}
