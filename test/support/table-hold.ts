import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DATABASE, ROLE } from '../../src/database/embedded/initialise.js';
import type { ServerProcess } from './server-process.js';

/** Where the embedded database of a server process listens, with its password. */
export async function embeddedUrl(server: ServerProcess, dataDir: string): Promise<string> {
  const port = /Embedded PostgreSQL \d+ listens on 127\.0\.0\.1:(\d+)/.exec(server.logs.join('\n'));
  if (!port?.[1]) throw new Error('the server did not say where its database listens');
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim();
  return `postgres://${ROLE}:${password}@127.0.0.1:${port[1]}/${DATABASE}`;
}

/** Keeps whoever writes to a table waiting; readers go on. */
export class TableHold {
  private constructor(
    private readonly client: Client,
    private readonly table: string,
  ) {}

  static async take(url: string, table: string): Promise<TableHold> {
    const client = new Client({ connectionString: url });
    // The database may be shut down while the table is held.
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${table} IN SHARE MODE`);
    return new TableHold(client, table);
  }

  /** Resolves once somebody waits for the table. */
  async untilWaitedFor(): Promise<void> {
    for (let attempt = 0; attempt < 1_000; attempt += 1) {
      const { rowCount } = await this.client.query(
        'SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted',
        [this.table],
      );
      if (rowCount) return;
      await delay(10);
    }
    throw new Error(`nobody writes to ${this.table}`);
  }

  /** Lets the writers go on; nothing when the database is gone. */
  async release(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}
