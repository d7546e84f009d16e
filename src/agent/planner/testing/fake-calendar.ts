import { isJsonObject, type JsonObject, type JsonValue } from '../../../common/json.js';
import { readEvent } from '../dialogue/calendar-event.js';
import { eventSpan } from '../match/match-events.js';

const ZONE = 'Asia/Shanghai';

/** A calendar in memory that answers like the module's JSON projections do. */
export class FakeCalendar {
  private readonly events = new Map<string, JsonObject>();
  private created = 0;

  /** Adds an event; `start` and `end` are wall times in Shanghai (`2026-03-05T15:00`). */
  add(title: string, start: string, end: string, more: JsonObject = {}): string {
    this.created += 1;
    const id = `evt_${this.created}`;
    this.events.set(id, {
      id,
      title,
      allDay: false,
      startAt: `${start}:00+08:00`,
      endAt: `${end}:00+08:00`,
      timezone: ZONE,
      organizer: { name: 'Me' },
      attendees: [],
      role: 'owner',
      myStatus: 'owner',
      version: 1,
      ...more,
    });
    return id;
  }

  get(id: string): JsonObject | undefined {
    return this.events.get(id);
  }

  readonly tool = (method: string, input: JsonObject): JsonObject => {
    if (method === 'read') return this.read(input);
    if (method === 'create') return this.create(input);
    const event = this.events.get(String(input['event_id']));
    if (!event) return failure('NOT_FOUND');
    switch (method) {
      case 'delete':
        this.events.delete(String(event['id']));
        return { status: 'success', ...event, deleted: true };
      case 'update':
        return this.update(event, input);
      case 'share':
        return {
          status: 'success',
          ...event,
          targets: list(input['with']).map((target) => ({ ...target, status: 'invited' })),
        };
      default:
        return { status: 'success', data: { ...event, status: method } };
    }
  };

  private read(input: JsonObject): JsonObject {
    if (input['mode'] === 'event') {
      const event = this.events.get(String(input['event_id']));
      return event ? { status: 'success', items: [event], count: 1 } : failure('NOT_FOUND');
    }
    const day = `${String(input['date'])}T00:00:00+08:00`;
    const from = Date.parse(input['mode'] === 'day' ? day : String(input['start_at']));
    const to = input['mode'] === 'day' ? from + 86_400_000 : Date.parse(String(input['end_at']));
    const items = [...this.events.values()].filter((event) => {
      if (event['myStatus'] === 'pending' && input['include_invitations'] !== true) return false;
      if (!hasWords(event, input['query'])) return false;
      const read = readEvent(event);
      const span = read && eventSpan(read, ZONE);
      return (
        span !== null && span.end.epochMilliseconds > from && span.start.epochMilliseconds < to
      );
    });
    return { status: 'success', items, count: items.length, timezone: ZONE };
  }

  private create(input: JsonObject): JsonObject {
    const id = this.add(String(input['title']), '', '', {
      allDay: input['all_day'] === true,
      ...(input['start_at'] !== undefined && {
        startAt: input['start_at'],
        endAt: input['end_at'],
      }),
      ...(input['start_date'] !== undefined && {
        startDate: input['start_date'],
        endDate: input['end_date'],
      }),
      ...(input['location'] !== undefined && { location: input['location'] }),
      attendees: list(input['attendees']),
    });
    return { status: 'success', ...this.events.get(id) };
  }

  private update(event: JsonObject, input: JsonObject): JsonObject {
    if (input['expected_version'] !== undefined && input['expected_version'] !== event['version']) {
      return failure('CONFLICT');
    }
    const changed: JsonObject = {
      ...event,
      ...(input['title'] !== undefined && { title: input['title'] }),
      ...(input['location'] !== undefined && { location: input['location'] }),
      ...(input['start_at'] !== undefined && {
        startAt: input['start_at'],
        endAt: input['end_at'],
      }),
      ...(input['attendees'] !== undefined && { attendees: list(input['attendees']) }),
      version: Number(event['version']) + 1,
    };
    this.events.set(String(event['id']), changed);
    return { status: 'success', ...changed, changes: [] };
  }
}

/** The projection of a failed call. */
export function failure(code: string, more: JsonObject = {}): JsonObject {
  const error = {
    code,
    message: 'a message of the tool',
    module: 'calendar',
    method: 'x',
    ...more,
  };
  return { status: 'failure', error };
}

/** Like the module's search: every word in title, place or people. */
function hasWords(event: JsonObject, query: JsonValue | undefined): boolean {
  if (typeof query !== 'string') return true;
  const people = list(event['attendees']).flatMap(({ name, email }) => [name, email]);
  const text = [event['title'], event['location'], ...people].join('\n').toLowerCase();
  return query
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word));
}

function list(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
