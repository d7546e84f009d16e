import { Client } from 'pg';

/** A quiet connection is asked whether it lives after so many milliseconds. */
const HEARTBEAT_MS = 400;
/** An answer that takes longer does not come any more. */
const ANSWER_MS = 800;
const CONNECT_MS = 5_000;

/** What a connection tells its owner. */
export interface ListenEvents {
  notification(channel: string, payload: string): void;
  /** Said once: nothing arrives on this connection any more. Not said after `close`. */
  lost(reason: string): void;
}

/**
 * One connection that listens. TCP alone would take minutes to notice that the other side is gone
 * without a word, so the server is asked something small all the time; a connection that does not
 * answer within about a second, or does not listen when told to, is given up.
 */
export class ListenConnection {
  private over = false;
  private timer: NodeJS.Timeout | undefined;
  /** Settles with the last statement: one is under way at a time, each with its own time to answer. */
  private asked: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly client: Client,
    private readonly events: ListenEvents,
  ) {
    client.on('error', () => undefined);
    client.on('notification', ({ channel, payload }) => {
      if (!this.over) events.notification(channel, payload ?? '');
    });
    client.once('end', () => this.lose('it was closed'));
  }

  /** @throws Error when the server does not accept it, or not within five seconds. */
  static async open(url: string, events: ListenEvents): Promise<ListenConnection> {
    const client = new Client({
      connectionString: url,
      application_name: 'steward-notifications',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
    });
    const connection = new ListenConnection(client, events);
    try {
      await client.connect();
    } catch (error) {
      connection.discard();
      throw error;
    }
    connection.scheduleHeartbeat();
    return connection;
  }

  /** Resolves when the server has confirmed; a connection that cannot listen is lost. */
  async listen(channel: string): Promise<void> {
    await this.ask(`LISTEN ${channel}`);
  }

  async close(): Promise<void> {
    const { client, over } = this;
    this.over = true;
    clearTimeout(this.timer);
    if (!over) await Promise.race([client.end().catch(() => undefined), soon(ANSWER_MS)]);
  }

  private ask(statement: string): Promise<void> {
    const asking = this.asked.then(() => this.askNow(statement));
    this.asked = asking.catch(() => undefined);
    return asking;
  }

  private async askNow(statement: string): Promise<void> {
    const answer = this.client.query(statement);
    try {
      const answered = await Promise.race([
        answer.then(() => true),
        soon(ANSWER_MS).then(() => false),
      ]);
      if (!answered) throw new Error('the server does not answer');
    } catch (error) {
      answer.catch(() => undefined);
      this.lose(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  private scheduleHeartbeat(): void {
    this.timer = setTimeout(() => void this.beat(), HEARTBEAT_MS);
    this.timer.unref();
  }

  private async beat(): Promise<void> {
    try {
      await this.ask('SELECT');
    } catch {
      return;
    }
    if (!this.over) this.scheduleHeartbeat();
  }

  private lose(reason: string): void {
    if (this.over) return;
    this.discard();
    this.events.lost(reason);
  }

  private discard(): void {
    this.over = true;
    clearTimeout(this.timer);
    // With a statement under way this destroys the socket, so that a dead one is waited for by nobody.
    this.client.end().catch(() => undefined);
  }
}

/**
 * Resolves after `ms`, once what has arrived by then was read: a process that was busy for longer
 * must not blame the server.
 */
function soon(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => setImmediate(() => setImmediate(resolve)), ms).unref();
  });
}
