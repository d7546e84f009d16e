/** What an admin's decisions are read from, and how a newer version of them is noticed. */
export interface StateSource<T> {
  /** Names it in logs and on the channel: `whitelist`. */
  readonly name: string;
  /** Scalar expression that gives the newest version's number, 0 before the first; one cheap look. */
  readonly newest: string;
  /** Reads the newest version; `value` is null when what is stored cannot be understood. */
  read(): Promise<{ version: number; value: T | null }>;
}

/** After so long without an answer of the database nobody knows which version is in force. */
const TRUST_MS = 5_000;

/**
 * One state in memory: its newest value as far as this process can know it. StateWatch keeps it.
 * Times are those of the process's own clock, in milliseconds.
 */
export class VersionedState<T> {
  private held: { version: number; value: T } | null = null;
  private seen = -1;
  private knownAt = Number.NEGATIVE_INFINITY;
  /** What kept the last read from succeeding; said once, not with every poll. */
  private fault: string | null = null;

  constructor(
    readonly source: StateSource<T>,
    private readonly complain: (fault: string) => void,
  ) {}

  /** The newest version that was read or put, valid or not; -1 before the first. */
  get version(): number {
    return this.seen;
  }

  /** The value in force; null when there is none, or nobody has known for five seconds. */
  get trusted(): T | null {
    return this.unknown ? null : this.latest;
  }

  /** Nobody has known for five seconds, or ever, which version is in force. */
  get unknown(): boolean {
    return performance.now() - this.knownAt >= TRUST_MS;
  }

  /** The last value that was read, however long ago; null when the newest version is not valid. */
  get latest(): T | null {
    return this.held?.value ?? null;
  }

  /** Reads the newest version. Never rejects: what cannot be read stays unknown. */
  async refresh(): Promise<void> {
    const now = performance.now();
    try {
      const { version, value } = await this.source.read();
      this.known(now);
      if (version <= this.seen) return;
      if (value === null) {
        this.say(`Version ${version} of the ${this.source.name} is not valid: it grants nothing.`);
        this.seen = version;
        this.held = null;
        return;
      }
      this.put(version, value);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Answers of two reads may arrive in the wrong order: only a later version replaces one. */
  put(version: number, value: T): void {
    if (version <= this.seen) return;
    this.seen = version;
    this.held = { version, value };
    this.fault = null;
  }

  /** The database said at `at` that the version that was seen is the newest. */
  known(at: number): void {
    this.knownAt = Math.max(this.knownAt, at);
    if (this.held) this.fault = null;
  }

  failed(error: unknown): void {
    this.say(`The ${this.source.name} could not be read: ${String(error)}`);
  }

  private say(fault: string): void {
    if (fault !== this.fault) this.complain(fault);
    this.fault = fault;
  }
}
