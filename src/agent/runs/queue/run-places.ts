/** Places in which a process executes runs: so many at once, and so many of one user. */
export class RunPlaces {
  private readonly ofUsers = new Map<string, number>();
  private taken = 0;

  /** @param capacity 0 for a process that executes no runs. */
  constructor(
    private readonly capacity: number,
    private readonly perUser: number,
  ) {}

  /** Places that nobody has. */
  get free(): number {
    return this.capacity - this.taken;
  }

  /** Users with as many places as one may have. */
  get usersAtLimit(): string[] {
    return [...this.ofUsers].filter(([, taken]) => taken >= this.perUser).map(([userId]) => userId);
  }

  /** Whether a run of the user may begin. */
  hasFor(userId: string): boolean {
    return this.free > 0 && (this.ofUsers.get(userId) ?? 0) < this.perUser;
  }

  /**
   * @returns what gives the place back; further calls of it do nothing.
   * @throws RangeError when there is none for the user.
   */
  take(userId: string): () => void {
    if (!this.hasFor(userId)) throw new RangeError('There is no place for a run of the user.');
    this.count(userId, 1);
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.count(userId, -1);
    };
  }

  private count(userId: string, change: 1 | -1): void {
    this.taken += change;
    const left = (this.ofUsers.get(userId) ?? 0) + change;
    if (left > 0) this.ofUsers.set(userId, left);
    else this.ofUsers.delete(userId);
  }
}
