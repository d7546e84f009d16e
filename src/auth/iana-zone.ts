import { StewardError } from '../common/steward-error.js';

const LONGEST_ZONE = 64;

/** Spelling of the zones that the runtime lists, by lower-case name. */
const spellings = new Map(
  [...Intl.supportedValuesOf('timeZone'), 'UTC'].map((zone) => [zone.toLowerCase(), zone]),
);

/**
 * The IANA name of a time zone in its usual spelling, or null when there is no such zone. A name
 * that the zone database keeps as an alias (`Asia/Kolkata`, `PRC`) stays as it is written. Offsets
 * (`+08:00`) are no zones: they know no daylight saving.
 */
export function toIanaZone(name: string): string | null {
  const trimmed = name.trim();
  const listed = spellings.get(trimmed.toLowerCase());
  if (listed) return listed;
  if (trimmed.length > LONGEST_ZONE || !/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(trimmed)) return null;
  try {
    new Intl.DateTimeFormat('en', { timeZone: trimmed }).format(0);
    return trimmed;
  } catch {
    return null;
  }
}

/** The zone as `toIanaZone` names it. @throws StewardError INVALID_ACTION_INPUT for an unknown one. */
export function requireZone(name: string): string {
  const zone = toIanaZone(name);
  if (zone) return zone;
  throw new StewardError('INVALID_ACTION_INPUT', 'The time zone is not known.', {
    issues: [
      {
        path: 'timezone',
        message: 'is not an IANA time zone',
        expected: 'IANA time zone such as Asia/Shanghai or UTC',
        received: name.slice(0, 64),
      },
    ],
  });
}
