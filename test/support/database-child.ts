import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

const SCRIPT = fileURLToPath(new URL('./database-process.mjs', import.meta.url));

interface Said {
  log?: string;
  level?: string;
  url?: string;
  lost?: string;
  embedded?: boolean;
  failure?: { name: string; message: string };
  closed?: boolean;
}

/** A process that opened the database of a folder as the server does, and holds it. */
export class DatabaseChild {
  private readonly said: Said[] = [];
  private readonly ended: Promise<number | null>;
  private waiting: (() => void)[] = [];

  private constructor(readonly process: ChildProcessByStdio<null, Readable, null>) {
    createInterface({ input: process.stdout }).on('line', (line) => {
      this.said.push(JSON.parse(line) as Said);
      this.changed();
    });
    this.ended = new Promise((resolve) => {
      process.once('close', (code) => {
        resolve(code);
        this.changed();
      });
    });
  }

  private changed(): void {
    for (const wake of this.waiting.splice(0)) wake();
  }

  /** Starts it; `url` or `failure` tells how it went. */
  static start(dataDir: string, poolSize = 10): DatabaseChild {
    const env = { ...process.env, DATABASE_URL: undefined };
    const args = [SCRIPT, dataDir, String(poolSize)];
    return new DatabaseChild(
      spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] }),
    );
  }

  /** Starts it and waits until it has the database. */
  static async open(dataDir: string): Promise<DatabaseChild> {
    const child = DatabaseChild.start(dataDir);
    await child.url();
    return child;
  }

  private async find<K extends keyof Said>(key: K): Promise<NonNullable<Said[K]>> {
    for (;;) {
      const found = this.said.find((said) => said[key] !== undefined)?.[key];
      if (found !== undefined) return found;
      if (this.process.exitCode !== null || this.process.signalCode !== null) {
        await this.ended;
        if (!this.said.some((said) => said[key] !== undefined)) {
          throw new Error(`It ended without "${key}": ${JSON.stringify(this.said)}`);
        }
        continue;
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  url(): Promise<string> {
    return this.find('url');
  }

  embedded(): Promise<boolean> {
    return this.find('embedded');
  }

  /** Why the database is lost, once it is. */
  lost(): Promise<string> {
    return this.find('lost');
  }

  /** Lines of one level. */
  logsAt(level: string): string[] {
    return this.said.filter((said) => said.level === level).map((said) => said.log ?? '');
  }

  failure(): Promise<{ name: string; message: string }> {
    return this.find('failure');
  }

  get logs(): string {
    return this.said.map((said) => said.log ?? '').join('\n');
  }

  /** Whether `close()` came to its end. */
  get closed(): boolean {
    return this.said.some((said) => said.closed);
  }

  /** Sends a signal and waits for the end; returns the exit status. */
  end(signal: NodeJS.Signals): Promise<number | null> {
    this.process.kill(signal);
    return this.ended;
  }

  async query<T extends object>(sql: string): Promise<T[]> {
    const client = new Client({ connectionString: await this.url() });
    // Some tests end the server under the connection.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(sql)).rows;
    } finally {
      await client.end();
    }
  }
}
