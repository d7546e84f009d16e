import { WALL_TIME, type WallTime } from './wall-time.js';

/** What an event id names: an event or whole series, or one occurrence of a series. */
export interface EventRef {
  eventId: string;
  recurrenceId: WallTime | null;
}

const EVENT_ID = /^evt_[0-9A-Z]{26}$/;

/** `evt_…` or `evt_…~20261225T090000`; null for anything else. */
export function parseEventId(id: string): EventRef | null {
  const [eventId = '', recurrenceId = null, rest] = id.split('~');
  if (!EVENT_ID.test(eventId) || rest !== undefined) return null;
  if (recurrenceId !== null && !WALL_TIME.test(recurrenceId)) return null;
  return { eventId, recurrenceId };
}

export function occurrenceId(seriesId: string, recurrenceId: WallTime): string {
  return `${seriesId}~${recurrenceId}`;
}

/** The id by which an event is known outside. */
export function publicId(event: {
  id: string;
  occurrence: { seriesId: string; recurrenceId: WallTime } | null;
}): string {
  const { occurrence } = event;
  return occurrence ? occurrenceId(occurrence.seriesId, occurrence.recurrenceId) : event.id;
}
