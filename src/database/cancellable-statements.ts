import { cancelStatement, cancelTargetOf, type CancelTarget } from './statement-cancel.js';
import { statementSignal } from './statement-signal.js';

/** What ends a transaction or a part of it: always sent, whatever has aborted, and never cancelled. */
const ENDS_WORK = /^(?:SELECT 1; )?(?:COMMIT|ROLLBACK|RELEASE)\b/;

/** A connection of the driver, of which as much as is needed here. */
export interface Connection {
  query(...args: unknown[]): unknown;
  end(): Promise<void>;
}

/**
 * From here on every statement of the connection that is sent under a statement signal ends with it. This
 * is the one place that all statements pass, those of repositories, query builders and plain SQL alike.
 * @returns false where its server has not said what a cancel must name: nothing is changed then.
 */
export function makeCancellable(connection: Connection): boolean {
  const send = connection.query.bind(connection);
  const target = cancelTargetOf(connection);
  if (target === null) return false;
  const statements = new CancellableStatements(target, () => connection.end());
  connection.query = (...args) => {
    const [text] = args;
    // Streams and callbacks, which nothing here uses, have no promise to wait for.
    if (typeof text !== 'string' || typeof args.at(-1) === 'function') return send(...args);
    return statements.run(text, () => send(...args));
  };
  return true;
}

/**
 * The statements of one connection, sent one after another: each once the one before is settled. A cancel
 * names a connection and no statement, so one that stood in line behind another would end that instead.
 */
export class CancellableStatements {
  private last: Promise<unknown> = Promise.resolve();
  private cancelling: Promise<void> | null = null;

  constructor(
    private readonly target: CancelTarget,
    private readonly close: () => Promise<void>,
  ) {}

  /**
   * Settles as `send` does, once no cancel is on its way any more that could meet the next statement.
   * @throws the reason of the current work's signal when it has aborted before its turn.
   */
  run(text: string, send: () => unknown): Promise<unknown> {
    const signal = ENDS_WORK.test(text) ? undefined : statementSignal();
    const settled = this.last.then(() => (signal ? this.sendUnder(signal, send) : send()));
    this.last = settled.catch(() => undefined);
    return settled;
  }

  private async sendUnder(signal: AbortSignal, send: () => unknown): Promise<unknown> {
    signal.throwIfAborted();
    const onAbort = (): void => {
      this.cancelling = this.cancel();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await send();
    } finally {
      signal.removeEventListener('abort', onAbort);
      if (this.cancelling) await this.cancelling;
    }
  }

  /**
   * A cancel of which nobody knows whether it still comes would meet the statement of somebody else: that
   * connection is closed, which ends the statement under way for its caller, and the pool drops it.
   */
  private async cancel(): Promise<void> {
    if (!(await cancelStatement(this.target))) await this.close().catch(() => undefined);
    this.cancelling = null;
  }
}
