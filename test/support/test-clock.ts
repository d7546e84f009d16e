import { Clock } from '../../src/common/clock.js';

/** A clock that runs on, and can be set ahead. Override the provider `Clock` with it. */
export class TestClock extends Clock {
  private offsetMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  advance(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }
}
