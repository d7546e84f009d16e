import { StewardError } from '../../../common/steward-error.js';
import { canonicalZone } from '../rules/zone.js';
import { readContentLines } from './content-lines.js';
import { readComponents, type IcalComponent } from './ical-components.js';
import { readEvent, type EventContext, type IcalEvent } from './ical-event.js';
import { IcalFault, fileRefused } from './ical-fault.js';
import { ICAL_IMPORT_MAX_BYTES, ICAL_IMPORT_MAX_EVENTS } from './ical.limits.js';
import { rawValue } from './ical-property.js';
import { ImportEffort } from './import-effort.js';
import { IcalZones } from './ical-zones.js';

/** Something that was left out, or changed to fit: where in the file, and why. */
export interface IcalProblem {
  line: number;
  reason: string;
  uid?: string;
}

export interface IcalFile {
  events: ReadIcalEvent[];
  /** Whole components that were left out. */
  skipped: IcalProblem[];
  /** Events that were taken with a change. */
  notices: IcalProblem[];
}

/** An event with what is needed to name its occurrence once its series is known. */
export interface ReadIcalEvent {
  event: IcalEvent;
  context: EventContext;
}

export interface IcalReader {
  timezone: string;
  isReader: (email: string) => boolean;
  charset?: string | undefined;
  /** Keep what the calendar does not read, for exports. */
  preserve: boolean;
}

/** Methods of a file that says what is; a reply or a counter-proposal is no event (RFC 5546). */
const METHODS = ['', 'PUBLISH', 'REQUEST', 'ADD', 'CANCEL'];

/**
 * Every event of a file that can be kept, and why the others cannot. Pure.
 * @throws INVALID_ACTION_INPUT (line and reason) for what is no iCalendar file; LIMIT_EXCEEDED.
 */
export function readIcal(bytes: Uint8Array, reader: IcalReader): IcalFile {
  if (bytes.byteLength > ICAL_IMPORT_MAX_BYTES) throw fileTooLarge();
  const calendars = refusing(() => readComponents(readContentLines(bytes, reader.charset)));
  const count = calendars
    .flatMap((calendar) => calendar.children)
    .filter((child) => child.name === 'VEVENT').length;
  if (count > ICAL_IMPORT_MAX_EVENTS) throw tooManyEvents(count);
  const file: IcalFile = { events: [], skipped: [], notices: [] };
  const effort = new ImportEffort();
  for (const calendar of calendars) readCalendar(calendar, reader, effort, file);
  return file;
}

function readCalendar(
  calendar: IcalComponent,
  reader: IcalReader,
  effort: ImportEffort,
  file: IcalFile,
): void {
  const version = rawValue(calendar, 'VERSION');
  if (version !== undefined && !version.includes('2.0')) {
    throw fileRefused(new IcalFault(calendar.line, 'only VERSION 2.0 (iCalendar) is supported.'));
  }
  const method = rawValue(calendar, 'METHOD')?.toUpperCase() ?? '';
  if (!METHODS.includes(method)) {
    throw fileRefused(
      new IcalFault(calendar.line, 'it is an answer between calendars (METHOD), not events.'),
    );
  }
  const zones = new IcalZones(calendar.children, reader.timezone);
  const named = rawValue(calendar, 'X-WR-TIMEZONE');
  for (const child of calendar.children) {
    if (child.name === 'VTIMEZONE') continue;
    if (child.name !== 'VEVENT') {
      file.skipped.push({ line: child.line, reason: `${child.name} is not an event.` });
      continue;
    }
    const uid = rawValue(child, 'UID')?.slice(0, 200);
    const about = uid ? { uid } : {};
    const context: EventContext = {
      zones,
      readerZone: reader.timezone,
      calendarZone: named ? canonicalZone(named) : null,
      isReader: reader.isReader,
      preserve: reader.preserve,
      effort,
      notice: (line, reason) => void file.notices.push({ line, reason, ...about }),
    };
    try {
      const event = readEvent(child, context);
      const cancelled = event.cancelled || method === 'CANCEL';
      file.events.push({ event: { ...event, cancelled }, context });
    } catch (error) {
      if (!(error instanceof IcalFault)) throw error;
      file.skipped.push({ line: error.line, reason: error.reason, ...about });
    }
  }
}

function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof IcalFault) throw fileRefused(error);
    throw error;
  }
}

function fileTooLarge(): StewardError {
  const mebibytes = ICAL_IMPORT_MAX_BYTES / 1024 / 1024;
  return new StewardError('LIMIT_EXCEEDED', `A file to import has at most ${mebibytes} MiB.`);
}

function tooManyEvents(count: number): StewardError {
  return new StewardError(
    'LIMIT_EXCEEDED',
    `A file to import has at most ${ICAL_IMPORT_MAX_EVENTS} events; this one has ${count}.`,
  );
}
