/** Chance that is the same for the same seed (mulberry32), so that a course of events can be had again. */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws RangeError for an empty list. */
  pick<T>(list: readonly T[]): T {
    const [picked] = list.slice(Math.floor(this.next() * list.length));
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  }

  /** Another source, which does not disturb this one's course. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 4_294_967_296));
  }
}
