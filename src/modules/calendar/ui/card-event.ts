import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import type { CardTimes } from './card-time.js';

/** What a card may say about an event. Data of older records may lack members. */
export interface CardEvent extends CardTimes {
  id: string;
  title: string;
  timezone: string | undefined;
  location: string | undefined;
  notes: string | undefined;
  organizer: string | undefined;
  role: string | undefined;
  myStatus: string | undefined;
  attendees: CardAttendee[];
  rrule: string | undefined;
  overridden: boolean;
  /** Minutes before the start. */
  reminders: number[];
}

export interface CardAttendee {
  name: string;
  status: string | undefined;
}

/** A member that is a text with something in it. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of a list; empty for anything else. */
export function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

export function cardEvent(data: JsonObject): CardEvent {
  const organizer = objectOf(data.organizer);
  return {
    id: textOf(data.id) ?? '',
    title: textOf(data.title) ?? '',
    startAt: textOf(data.startAt),
    endAt: textOf(data.endAt),
    startDate: textOf(data.startDate),
    endDate: textOf(data.endDate),
    timezone: textOf(data.timezone),
    location: textOf(data.location),
    notes: textOf(data.notes),
    organizer: textOf(organizer.name) ?? textOf(organizer.email),
    role: textOf(data.role),
    myStatus: textOf(data.myStatus),
    rrule: textOf(objectOf(data.recurrence).rrule),
    overridden: data.overridden === true,
    reminders: objectsOf(data.reminders).map((reminder) => numberOf(reminder.minutesBefore)),
    attendees: objectsOf(data.attendees).map((attendee) => ({
      name: textOf(attendee.name) ?? textOf(attendee.email) ?? '',
      status: textOf(attendee.status),
    })),
  };
}

/** Items of a batch with those that failed first: they must not be overlooked. */
export function failuresFirst(items: JsonObject[]): JsonObject[] {
  const failed = ({ status }: JsonObject) => status === 'failure' || status === 'failed';
  return [...items.filter(failed), ...items.filter((item) => !failed(item))];
}
