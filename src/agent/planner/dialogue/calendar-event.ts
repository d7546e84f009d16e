import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';

/** A person of an event, as far as the planner needs them. */
export interface Person {
  name?: string;
  email?: string;
  /** Their answer to the invitation. */
  status?: string;
}

/** An event as a tool result gives it; only what was there is set. */
export interface CalendarEvent {
  id: string;
  title: string;
  allDay: boolean;
  startAt?: string;
  endAt?: string;
  startDate?: string;
  endDate?: string;
  timezone?: string;
  location?: string;
  attendees: Person[];
  organizer?: Person;
  role?: string;
  myStatus?: string;
  version?: number;
  /** Of an occurrence: its series. */
  seriesId?: string;
  /** A whole series. */
  repeats?: boolean;
  /** Minutes before the start. */
  reminders?: JsonObject[];
}

/** Reads an event out of a tool result; null when the value is none. */
export function readEvent(value: JsonValue | undefined): CalendarEvent | null {
  if (!isJsonObject(value)) return null;
  const id = text(value, 'id');
  const title = text(value, 'title');
  if (id === undefined || title === undefined) return null;
  const event: CalendarEvent = {
    id,
    title,
    allDay: value['allDay'] === true,
    attendees: Array.isArray(value['attendees']) ? value['attendees'].flatMap(person) : [],
  };
  const [organizer] = person(value['organizer']);
  if (organizer) event.organizer = organizer;
  if (typeof value['version'] === 'number') event.version = value['version'];
  if (isJsonObject(value['recurrence']) && text(value, 'seriesId') === undefined) {
    event.repeats = true;
  }
  if (Array.isArray(value['reminders'])) event.reminders = value['reminders'].filter(isJsonObject);
  for (const key of TEXTS) {
    const member = text(value, key);
    if (member !== undefined) event[key] = member;
  }
  return event;
}

const TEXTS = [
  'startAt',
  'endAt',
  'startDate',
  'endDate',
  'timezone',
  'location',
  'role',
  'myStatus',
  'seriesId',
] as const;

function text(value: JsonObject, key: string): string | undefined {
  const member = value[key];
  return typeof member === 'string' ? member : undefined;
}

function person(value: JsonValue | undefined): Person[] {
  if (!isJsonObject(value)) return [];
  const name = text(value, 'name');
  const email = text(value, 'email');
  if (name === undefined && email === undefined) return [];
  const status = text(value, 'status');
  return [
    {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(status !== undefined && { status }),
    },
  ];
}
