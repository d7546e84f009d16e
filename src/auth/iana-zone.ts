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
