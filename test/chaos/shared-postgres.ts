import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { DatabaseChild } from '../support/database-child.js';

/** Connections of all processes of a deployment, and of those that were killed and not yet missed. */
const CONNECTIONS = 180;

/** A PostgreSQL of several servers, at one address, that can be restarted under all of them. */
export class SharedPostgres {
  private constructor(
    private readonly folder: string,
    private readonly keeper: DatabaseChild,
    readonly url: string,
  ) {}

  /** Durable, and without tables. */
  static async start(): Promise<SharedPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'steward-chaos-'));
    const keeper = DatabaseChild.start(folder, CONNECTIONS);
    return new SharedPostgres(folder, keeper, await keeper.url());
  }

  /**
   * As `pg_ctl restart -m MODE` does: `fast` ends what is under way and writes all down, `immediate` leaves
   * that to the repair at the next start. Resolves once the signal was sent.
   * @returns whether it was there.
   */
  async restart(mode: 'fast' | 'immediate'): Promise<boolean> {
    const file = join(this.folder, 'postgres', 'postmaster.pid');
    const [pid] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    if (!pid || !/^\d+$/.test(pid)) return false;
    return send(Number(pid), mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
  }

  /**
   * SIGKILL to the process of one connection, as the OOM killer does: PostgreSQL then ends all others too,
   * and repairs itself. @returns whether there was one.
   */
  async killBackend(): Promise<boolean> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity
         WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
         ORDER BY state = 'active' DESC, query_start DESC NULLS LAST LIMIT 1`,
      );
      return rows[0] !== undefined && send(rows[0].pid, 'SIGKILL');
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await this.keeper.end('SIGTERM');
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** @returns false when it has ended. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
