import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedUrl } from '../support/table-hold.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';

/** What all servers of a deployment are started with. */
export interface DeploymentSettings {
  env: Record<string, string>;
  dataDir: string;
  /** How many servers; more than one need DATABASE_URL in `env`. */
  servers: number;
}

interface Place {
  port: string;
  process: ServerProcess | null;
}

/** Server processes of one database that are killed and started again, each at its address. */
export class Deployment {
  private readonly places: Place[] = [];

  private constructor(private readonly settings: DeploymentSettings) {}

  static async start(settings: DeploymentSettings): Promise<Deployment> {
    const deployment = new Deployment(settings);
    for (let n = 0; n < settings.servers; n += 1) {
      const process = await deployment.launch('0');
      deployment.places.push({ port: new URL(process.url).port, process });
    }
    return deployment;
  }

  /** Addresses, whether or not a server is there at the moment. */
  get urls(): string[] {
    return this.places.map(({ port }) => `http://127.0.0.1:${port}`);
  }

  get size(): number {
    return this.places.length;
  }

  /** SIGKILL, and wait until it is gone. */
  async kill(index: number): Promise<void> {
    const place = this.placeOf(index);
    await place.process?.kill();
    place.process = null;
  }

  /** Starts the server that is not there; resolves when it is ready. */
  async revive(index: number): Promise<void> {
    const place = this.placeOf(index);
    place.process ??= await this.launch(place.port);
  }

  /** Where the database listens now. */
  async databaseUrl(): Promise<string> {
    const { DATABASE_URL } = this.settings.env;
    const [place] = this.places;
    if (DATABASE_URL !== undefined) return DATABASE_URL;
    if (!place?.process) throw new Error('the server that has the database is down');
    return embeddedUrl(place.process, this.settings.dataDir);
  }

  /**
   * Kills PostgreSQL itself, as the OOM killer does; its keeper starts it again.
   * @returns whether it was there.
   */
  async killPostgres(): Promise<boolean> {
    const file = join(this.settings.dataDir, 'postgres', 'postmaster.pid');
    if (this.places.some(({ process }) => process === null)) return false;
    try {
      const [pid] = (await readFile(file, 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      return true;
    } catch {
      return false;
    }
  }

  /** SIGTERM to all. @returns their exit statuses. */
  async stop(): Promise<(number | null)[]> {
    const running = this.places.flatMap(({ process }) => (process ? [process] : []));
    return Promise.all(running.map((process) => process.stop()));
  }

  private launch(port: string): Promise<ServerProcess> {
    const { env, dataDir } = this.settings;
    return startServerProcess({ ...env, DATA_DIR: dataDir, PORT: port });
  }

  private placeOf(index: number): Place {
    const place = this.places[index];
    if (!place) throw new RangeError(`there is no server ${index}`);
    return place;
  }
}
