import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Notifications } from './notifications.js';
import { UnitOfWork } from './unit-of-work.js';
import { VersionedState, type StateSource } from './versioned-state.js';

const CHANNEL = 'admin_states';
/** How often the database is asked for newer versions, so that a lost notification costs less than a second. */
const POLL_MS = 500;
/** A look that takes longer may hang on a dead connection; the next one takes another. */
const SLOW_MS = 2_000;
const MAX_LOOKS = 3;

/** Scalar for `StateSource.newest` of a state that is counted in `admin_states`. */
export function countedIn(name: string): string {
  if (!/^[a-z_]+$/.test(name)) throw new TypeError('A state is named with a-z and _.');
  return `coalesce((SELECT version FROM admin_states WHERE name = '${name}'), 0)`;
}

/**
 * Keeps what admins decide (whitelist, capability settings, skills) in force on every replica
 * (PROTOCOL §14). A change holds here as soon as it has committed, elsewhere as soon as the replica
 * hears of it; should it miss that, it sees it within a second, because the newest numbers of all
 * states are read twice a second, with one statement. Until a state could be read, when the stored
 * one is not valid, and when the database has not answered for five seconds, it is not trusted:
 * whoever asks for it denies.
 */
@Injectable()
export class StateWatch implements OnModuleDestroy {
  private readonly logger = new Logger(StateWatch.name);
  private readonly states = new Map<string, VersionedState<unknown>>();
  private readonly ends: (() => void)[] = [];
  private poll: NodeJS.Timeout | undefined;
  private looks = 0;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly notifications: Notifications,
    private readonly uow: UnitOfWork,
  ) {}

  onModuleDestroy(): void {
    clearInterval(this.poll);
    for (const end of this.ends) end();
  }

  /** Reads the state and keeps it; it resolves when that was tried once. */
  async keep<T>(state: VersionedState<T>): Promise<void> {
    const { name } = state.source;
    if (this.states.has(name)) throw new Error(`The state "${name}" is kept already.`);
    this.states.set(name, state);
    this.begin();
    await state.refresh();
  }

  /** A state that logs what is wrong with it. */
  stateOf<T>(source: StateSource<T>): VersionedState<T> {
    return new VersionedState(source, (fault) => this.logger.error(fault));
  }

  /**
   * The number of the next version of a state that is counted in `admin_states`. Whoever changes the
   * same state waits until this transaction is over, and then sees what it did.
   */
  async nextVersion(name: string): Promise<number> {
    const [row] = await this.uow.manager.query<{ version: number }[]>(
      `INSERT INTO admin_states (name, version) VALUES ($1, 1)
       ON CONFLICT (name) DO UPDATE SET version = admin_states.version + 1
       RETURNING version`,
      [name],
    );
    if (!row) throw new Error(`admin_states gave no version of "${name}"`);
    return row.version;
  }

  /** The newest version of a state that is counted in `admin_states`; 0 before the first change. */
  async newestVersion(name: string): Promise<number> {
    const [row] = await this.uow.manager.query<{ version: number }[]>(
      `SELECT ${countedIn(name)} AS version`,
    );
    return row?.version ?? 0;
  }

  /**
   * For the unit of work that has stored `version`: puts it in force, here and everywhere, when it
   * commits.
   */
  async changed<T>(state: VersionedState<T>, version: number, value: T): Promise<void> {
    await this.notifications.publish(CHANNEL, state.source.name);
    this.uow.afterCommit(() => state.put(version, value));
  }

  private begin(): void {
    if (this.poll) return;
    this.ends.push(
      this.notifications.subscribe(CHANNEL, (name) => void this.states.get(name)?.refresh()),
      this.notifications.onReconnect(() => void this.look()),
    );
    this.poll = setInterval(() => void this.look(), POLL_MS);
    this.poll.unref();
  }

  /** Asks for the newest numbers, and reads the states of which there is a newer one. */
  private async look(): Promise<void> {
    const now = performance.now();
    if (this.looks >= MAX_LOOKS || (this.looks > 0 && now - this.lookedAt < SLOW_MS)) return;
    this.looks += 1;
    this.lookedAt = now;
    const states = [...this.states.values()];
    try {
      const newest = await this.newest(states);
      await Promise.all(
        states.map(async (state, index) => {
          if (newest[index] === state.version) state.known(now);
          else await state.refresh();
        }),
      );
    } catch (error) {
      for (const state of states) state.failed(error);
    } finally {
      this.looks -= 1;
    }
  }

  private async newest(states: VersionedState<unknown>[]): Promise<number[]> {
    const numbers = states.map(({ source }) => source.newest).join(', ');
    const [row] = await this.uow.manager.query<{ newest: number[] }[]>(
      `SELECT ARRAY[${numbers}]::integer[] AS newest`,
    );
    return row?.newest ?? [];
  }
}
