import { Temporal } from 'temporal-polyfill';
import { canonicalZone } from '../rules/zone.js';
import { rawValue } from './ical-property.js';
import type { IcalComponent } from './ical-components.js';

/**
 * Zones by which an unknown VTIMEZONE is recognised, the likeliest of equal ones first. The reader's
 * own zone comes before all of them.
 */
const CANDIDATES = [
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Helsinki',
  'Europe/Moscow',
  'Europe/Istanbul',
  'Africa/Cairo',
  'Asia/Dubai',
  'Asia/Tehran',
  'Asia/Karachi',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Dhaka',
  'Asia/Yangon',
  'Asia/Bangkok',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Adelaide',
  'Australia/Brisbane',
  'Australia/Sydney',
  'Pacific/Auckland',
  'Pacific/Honolulu',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Phoenix',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'America/Halifax',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Atlantic/Azores',
];

/** A year whose changes stand for a zone's rules. */
const REFERENCE_YEAR = 2026;

/** What a zone does in a year: its offsets in minutes, and the months in which the clocks change. */
interface ClockRules {
  standard: number;
  daylight: number | null;
  months: number[];
}

/** Finds the IANA zone behind the TZIDs of one calendar. */
export class IcalZones {
  private readonly definitions = new Map<string, IcalComponent>();
  private readonly found = new Map<string, string | null>();

  /** @param readerZone preferred where several zones have the rules of an unknown one. */
  constructor(
    components: IcalComponent[],
    private readonly readerZone: string,
  ) {
    for (const component of components) {
      const tzid = component.name === 'VTIMEZONE' ? rawValue(component, 'TZID') : undefined;
      if (tzid) this.definitions.set(tzid, component);
    }
  }

  /**
   * By its name (IANA, Windows, an IANA name after a vendor's prefix), else by what its VTIMEZONE
   * says; null when neither leads to a zone.
   */
  resolve(tzid: string): string | null {
    const known = this.found.get(tzid);
    if (known !== undefined) return known;
    const zone = zoneOfName(tzid) ?? this.byDefinition(tzid);
    this.found.set(tzid, zone);
    return zone;
  }

  private byDefinition(tzid: string): string | null {
    const definition = this.definitions.get(tzid);
    if (!definition) return null;
    const location = rawValue(definition, 'X-LIC-LOCATION');
    const named = location ? zoneOfName(location) : null;
    if (named) return named;
    const rules = rulesOfDefinition(definition);
    if (!rules) return null;
    const zones = [this.readerZone, ...CANDIDATES];
    return zones.find((zone) => equals(rulesOfZone(zone), rules)) ?? null;
  }
}

/** `Europe/Berlin`, `China Standard Time`, `/mozilla.org/20050126_1/Europe/Berlin`. */
function zoneOfName(name: string): string | null {
  const text = name.trim().replace(/^"(.*)"$/, '$1');
  const direct = canonicalZone(text);
  if (direct) return direct;
  const parts = text.split('/').filter((part) => part !== '');
  for (const length of [3, 2]) {
    const tail = parts.length > length ? canonicalZone(parts.slice(-length).join('/')) : null;
    if (tail) return tail;
  }
  return null;
}

/** Only the newest observance of each kind; the rules are compared, never run. */
function rulesOfDefinition(definition: IcalComponent): ClockRules | null {
  const newest = (name: string) =>
    definition.children
      .filter((child) => child.name === name)
      .sort((a, b) => startOf(a).localeCompare(startOf(b)))
      .at(-1);
  const standard = newest('STANDARD');
  const daylight = newest('DAYLIGHT');
  const offset = standard && offsetOf(standard);
  if (!standard || offset === undefined) return null;
  if (!daylight || !rawValue(daylight, 'RRULE')) {
    return { standard: offset, daylight: null, months: [] };
  }
  const months = [standard, daylight].flatMap((child) => {
    const month = /BYMONTH=(\d{1,2})(;|$)/.exec(rawValue(child, 'RRULE') ?? '')?.[1];
    return month ? [Number(month)] : [];
  });
  const summer = offsetOf(daylight);
  return summer === undefined ? null : { standard: offset, daylight: summer, months };
}

function startOf(observance: IcalComponent): string {
  return rawValue(observance, 'DTSTART') ?? '';
}

function offsetOf(observance: IcalComponent): number | undefined {
  const found = /^([+-])(\d{2})(\d{2})(\d{2})?$/.exec(rawValue(observance, 'TZOFFSETTO') ?? '');
  if (!found) return undefined;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return found[1] === '-' ? -minutes : minutes;
}

function rulesOfZone(zone: string): ClockRules {
  const start = Temporal.ZonedDateTime.from({
    timeZone: zone,
    year: REFERENCE_YEAR,
    month: 1,
    day: 1,
  });
  const offsets = new Set([minutesOf(start)]);
  const months: number[] = [];
  let at = start.getTimeZoneTransition('next');
  while (at && at.subtract({ nanoseconds: 1 }).year === REFERENCE_YEAR) {
    offsets.add(minutesOf(at));
    months.push(at.subtract({ nanoseconds: 1 }).month);
    at = at.getTimeZoneTransition('next');
  }
  const standard = Math.min(...offsets);
  const daylight = Math.max(...offsets);
  return { standard, daylight: daylight === standard ? null : daylight, months };
}

function minutesOf(at: Temporal.ZonedDateTime): number {
  return at.offsetNanoseconds / 60_000_000_000;
}

function equals(a: ClockRules, b: ClockRules): boolean {
  return (
    a.standard === b.standard &&
    a.daylight === b.daylight &&
    a.months.length === b.months.length &&
    a.months.every((month) => b.months.includes(month))
  );
}
