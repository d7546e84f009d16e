import { Injectable } from '@nestjs/common';

/** The only source of "now" for rules, so that a test can set it. */
@Injectable()
export class Clock {
  /** The current instant. */
  now(): Date {
    return new Date();
  }
}
