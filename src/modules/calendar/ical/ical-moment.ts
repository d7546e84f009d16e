import { Temporal } from 'temporal-polyfill';
import { IcalFault } from './ical-fault.js';
import type { IcalProperty } from './ical-property.js';

/**
 * A DATE or DATE-TIME as the file says it (RFC 5545 §3.3.4, §3.3.5). `floating`: the same clock time
 * wherever the reader is.
 */
export type IcalMoment =
  | { kind: 'date'; date: string }
  | { kind: 'floating'; local: string }
  | { kind: 'zoned'; local: string; tzid: string };

const YEAR_MIN = 1900;
const YEAR_MAX = 2999;
const DATE = /^(\d{4}-\d{2}-\d{2})(?:T::)?$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:)(\d{2})(Z?)$/;

/** The moments of a property: one for DTSTART, any number for EXDATE and RDATE. */
export function momentsOf(property: IcalProperty): IcalMoment[] {
  // A period's moment is its start; how long that one instance is cannot be kept.
  return property.values.map((value) =>
    momentOf(Array.isArray(value) ? (value[0] as unknown) : value, property),
  );
}

/** @throws IcalFault when the property has no or a bad value. */
export function oneMoment(property: IcalProperty): IcalMoment {
  const [moment] = momentsOf(property);
  if (!moment) throw new IcalFault(property.line, `${property.name} has no value.`);
  return moment;
}

function momentOf(value: unknown, property: IcalProperty): IcalMoment {
  const text = typeof value === 'string' ? value : '';
  const date = DATE.exec(text)?.[1];
  if (date) return { kind: 'date', date: checked(() => Temporal.PlainDate.from(date), property) };
  const found = DATE_TIME.exec(text);
  if (!found) throw notADate(property);
  // 60 is a leap second, which no clock of ours has; `readEvent` says so.
  const second = found[2] === '60' ? '59' : (found[2] ?? '00');
  const local = checked(
    () => Temporal.PlainDateTime.from(`${found[1] ?? ''}${second}`, { overflow: 'reject' }),
    property,
  );
  if (found[3]) return { kind: 'zoned', local, tzid: 'UTC' };
  const tzid = property.params['tzid'];
  return tzid ? { kind: 'zoned', local, tzid } : { kind: 'floating', local };
}

function checked(
  read: () => Temporal.PlainDate | Temporal.PlainDateTime,
  property: IcalProperty,
): string {
  let value;
  try {
    value = read();
  } catch {
    throw notADate(property);
  }
  if (value.year < YEAR_MIN || value.year > YEAR_MAX) {
    throw new IcalFault(
      property.line,
      `${property.name} is in the year ${value.year}; only ${YEAR_MIN} to ${YEAR_MAX} is kept.`,
    );
  }
  return value instanceof Temporal.PlainDate
    ? value.toString()
    : value.toString({ smallestUnit: 'second' });
}

function notADate(property: IcalProperty): IcalFault {
  return new IcalFault(property.line, `${property.name} is no date or time that exists.`);
}
