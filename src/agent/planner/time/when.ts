import type { Temporal } from 'temporal-polyfill';

/** A wall-clock time as said. */
export interface ClockTime {
  hour: number;
  minute: number;
  /** False when the half of the day was not said and was chosen by the working-hours rule. */
  certain: boolean;
  /** Days after the day that was said: 1 for `晚上十二点`. */
  dayShift: number;
}

/** Days from `first` to `last`, both included. */
export interface DaySpan {
  first: Temporal.PlainDate;
  last: Temporal.PlainDate;
}

export type DayPart = 'night' | 'morning' | 'noon' | 'afternoon' | 'evening';

/** What a message says about time; all in the user's zone, nothing filled in that was not said. */
export interface When {
  days: DaySpan | null;
  start: ClockTime | null;
  end: ClockTime | null;
  /** An exact moment: `in two hours`. */
  moment: Temporal.ZonedDateTime | null;
  part: DayPart | null;
  /** Length in minutes. */
  minutes: number | null;
  allDay: boolean;
  /** A date that was said but does not exist (`2月30日`). */
  impossible: string | null;
}

/** True when nothing about time was said. */
export function saysNothing(when: When): boolean {
  return (
    !when.days &&
    !when.start &&
    !when.end &&
    !when.moment &&
    !when.part &&
    when.minutes === null &&
    !when.allDay &&
    !when.impossible
  );
}

/** A `When` that says nothing. */
export function noTime(): When {
  return {
    days: null,
    start: null,
    end: null,
    moment: null,
    part: null,
    minutes: null,
    allDay: false,
    impossible: null,
  };
}

/** A span of one day. */
export function oneDay(date: Temporal.PlainDate): DaySpan {
  return { first: date, last: date };
}
