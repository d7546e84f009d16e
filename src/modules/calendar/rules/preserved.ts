/**
 * What a calendar file says of an event and this calendar has no place for (TRANSP, CLASS, GEO,
 * X-APPLE-STRUCTURED-LOCATION …). It is kept as written so that an export gives it back; nobody
 * interprets it, and no model sees or sets it.
 */
export interface PreservedEvent {
  /** Content lines, unfolded, in the order of the file. */
  lines: string[];
  /** Parameters of the ATTENDEE that is the owner: `;PARTSTAT=ACCEPTED`. */
  self?: string;
}

/** Of a person who is no user here: parameters as written (`;ROLE=CHAIR`), '' for none. */
export interface PreservedPerson {
  /** Absent: the person is the organizer and no attendee. */
  attendee?: string;
  /** Present: the person is the organizer. */
  organizer?: string;
}

/** Lines that say again, for other programs, what a text of the event says. */
const COPIES = {
  location: new Set(['GEO', 'X-APPLE-STRUCTURED-LOCATION', 'X-MICROSOFT-LOCATIONS']),
  notes: new Set(['X-ALT-DESC']),
};

interface Texts {
  location: string | null;
  notes: string | null;
}

/** What is still true after an edit: a map pin of the old place would contradict the new one. */
export function preservedAfter(
  before: Texts & { preserved: PreservedEvent | null },
  after: Texts,
): PreservedEvent | null {
  const { preserved } = before;
  if (!preserved) return null;
  const stale = new Set([
    ...(before.location === after.location ? [] : COPIES.location),
    ...(before.notes === after.notes ? [] : COPIES.notes),
  ]);
  if (stale.size === 0) return preserved;
  const lines = preserved.lines.filter((line) => !stale.has(lineName(line)));
  if (lines.length > 0 || preserved.self !== undefined) return { ...preserved, lines };
  return null;
}

/** `GEO` of `geo;X=1:37.1;-122.2`; '' for what is no property. */
export function lineName(line: string): string {
  return /^([A-Za-z0-9-]+)[;:]/.exec(line)?.[1]?.toUpperCase() ?? '';
}
