import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startRoundRobin, type RoundRobin } from '../support/round-robin.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';
import { embeddedUrl } from '../support/table-hold.js';

/** What a process does in a deployment; as the variable ROLE. */
export type Role = 'all' | 'api' | 'worker';

/** What all processes of a deployment are started with. */
export interface DeploymentSettings {
  env: Record<string, string>;
  dataDir: string;
  /** One for each process; more than one need DATABASE_URL in `env`, and workers an API replica. */
  roles: readonly Role[];
}

interface Place {
  role: Role;
  port: string;
  process: ServerProcess | null;
}

/**
 * Why a start fails that succeeds when its operator makes it again. While the process was down, its port was
 * nobody's: any connection may have got it for a while. A database that is being restarted is not there.
 */
const PASSING =
  /port \d+ of \S+ is in use|cannot connect to \S+: |The database went away while Steward was starting/;
/** Characters of what a process has written last, where the reason of its end stands. */
const LAST_WORDS = 2_000;

/** Processes of one database that are killed and started again, each at its address. */
export class Deployment {
  private readonly places: Place[];
  /** Where workers send their tool calls: to another API replica with every request. */
  private door: RoundRobin | null = null;

  /** Starts that failed and were made again, by reason. */
  readonly startedAgain: Record<string, number> = {};

  private constructor(private readonly settings: DeploymentSettings) {
    this.places = settings.roles.map((role) => ({ role, port: '0', process: null }));
  }

  /** Resolves once all are ready. */
  static async start(settings: DeploymentSettings): Promise<Deployment> {
    const deployment = new Deployment(settings);
    try {
      if (settings.roles.includes('worker')) deployment.door = await startRoundRobin();
      // The first one makes the signing key that all share; workers claim nothing without their door.
      await deployment.revive(0);
      await deployment.reviveEach((role) => role !== 'worker');
      deployment.door?.targets.push(...deployment.urls);
      await deployment.reviveEach((role) => role === 'worker');
      return deployment;
    } catch (error) {
      await deployment.stop();
      throw error;
    }
  }

  /** Addresses at which clients are served, whether or not a process is there at the moment. */
  get urls(): string[] {
    const serving = this.places.filter(({ role }) => role !== 'worker');
    return serving.map(({ port }) => `http://127.0.0.1:${port}`);
  }

  get roles(): readonly Role[] {
    return this.settings.roles;
  }

  /** SIGKILL, and wait until it is gone. */
  async kill(index: number): Promise<void> {
    const place = this.placeOf(index);
    await place.process?.kill();
    place.process = null;
  }

  /** Starts the process that is not there; resolves when it is ready. */
  async revive(index: number): Promise<void> {
    const place = this.placeOf(index);
    if (place.process) return;
    place.process = await this.launch(place);
    place.port = new URL(place.process.url).port;
  }

  /**
   * SIGSTOP: the process stands still, with its connections, and knows nothing of it afterwards.
   * @returns what has it go on; null when it is not there.
   */
  freeze(index: number): (() => void) | null {
    const { process: frozen } = this.placeOf(index);
    if (!frozen?.child.kill('SIGSTOP')) return null;
    return () => void frozen.child.kill('SIGCONT');
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
    // What stands still hears no SIGTERM.
    for (const { child } of running) child.kill('SIGCONT');
    const statuses = await Promise.all(running.map((process) => process.stop()));
    await this.door?.close();
    this.door = null;
    return statuses;
  }

  private async reviveEach(which: (role: Role) => boolean): Promise<void> {
    const indexes = [...this.settings.roles.keys()];
    const chosen = indexes.filter((index) => which(this.placeOf(index).role));
    await Promise.all(chosen.map((index) => this.revive(index)));
  }

  private async launch({ role, port }: Place): Promise<ServerProcess> {
    const { env, dataDir } = this.settings;
    // A worker has no tool door of its own.
    const own: Record<string, string> =
      role === 'worker'
        ? { CLI_EXECUTOR: 'http', PROJECT_CLI_ENDPOINT: this.door?.url ?? '' }
        : { PORT: port };
    for (;;) {
      try {
        return await startServerProcess({ ...env, ROLE: role, DATA_DIR: dataDir, ...own });
      } catch (error) {
        const [reason] = PASSING.exec(String(error).slice(-LAST_WORDS)) ?? [];
        if (reason === undefined) throw error;
        const why = reason.replace(/[\d.:]{2,}/g, '…');
        this.startedAgain[why] = (this.startedAgain[why] ?? 0) + 1;
        await delay(200);
      }
    }
  }

  private placeOf(index: number): Place {
    const place = this.places[index];
    if (!place) throw new RangeError(`there is no process ${index}`);
    return place;
  }
}
