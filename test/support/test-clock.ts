import { Clock } from '../../src/common/clock.js';

/** A clock that runs on until it is frozen, and can be set ahead. Override the provider `Clock` with it. */
export class TestClock extends Clock {
  private offsetMs = 0;
  private frozenAt: number | null = null;

  override now(): Date {
    return new Date((this.frozenAt ?? Date.now()) + this.offsetMs);
  }

  /** Stands still from now on but for `advance`: seconds can be counted however slow the machine is. */
  freeze(): void {
    this.frozenAt ??= Date.now();
  }

  /** Runs on, from where it would be had it not been frozen. */
  unfreeze(): void {
    this.frozenAt = null;
  }

  advance(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }
}
