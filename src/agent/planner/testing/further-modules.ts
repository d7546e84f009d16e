import type { JsonObject } from '../../../common/json.js';
import { failure, FakeCalendar } from './fake-calendar.js';
import type { Tool } from './talk.js';

const contact = (id: string, name: string, email: string, phone: string): JsonObject => ({
  id,
  name,
  version: 1,
  phones: [{ value: phone }],
  emails: [{ value: email }],
});
const AMY = contact('con_1', 'Amy Chen', 'amy@example.com', '138 0013 8000');
const WU = contact('con_2', 'Amy Wu', 'wu@example.com', '138 0013 8001');
const ONE: Readonly<Record<string, JsonObject>> = {
  Bob: contact('con_bob', 'Bob', 'bob@example.com', '1'),
  Sam: contact('con_sam', 'Sam', 'sam@example.com', '2'),
};
const FACTS: JsonObject[] = [
  { id: 'mem_1', text: 'likes a seat at the window' },
  { id: 'mem_2', key: 'allergies', text: 'allergic to nuts' },
  { id: 'mem_3', key: 'allergies', text: 'allergic to milk' },
];

/** Two contacts called Amy, and three facts, two of them of one key. */
export function furtherModules(): Tool {
  const calendar = new FakeCalendar();
  calendar.add('季度总结会', '2026-03-06T14:00', '2026-03-06T15:00');
  calendar.add('Dentist', '2026-03-06T09:00', '2026-03-06T09:30');
  return (method, input, module) => {
    if (module === 'calendar') return calendar.tool(method, input);
    return module === 'contacts' ? contacts(method, input) : memory(method, input);
  };
}

function contacts(method: string, input: JsonObject): JsonObject {
  if (method !== 'read') return { status: 'success', ...AMY };
  if (input['mode'] === 'duplicates') {
    return { status: 'success', groups: [{ contacts: [AMY, WU], reasons: ['name'] }], count: 1 };
  }
  const found = ONE[String(input['query'])];
  if (found) return { status: 'success', items: [found], count: 1, ambiguous: false };
  return input['query'] === 'Amy'
    ? { status: 'success', items: [], count: 0, ambiguous: true, candidates: [AMY, WU] }
    : { status: 'success', items: [], count: 0, ambiguous: false };
}

function memory(method: string, input: JsonObject): JsonObject {
  if (method === 'read') return { status: 'success', items: FACTS, count: FACTS.length };
  if (method === 'update') return { status: 'success', items: [{ status: 'added' }], count: 1 };
  const meant = FACTS.filter(
    ({ id, key }) => id === input['fact_id'] || (key !== undefined && key === input['key']),
  );
  if (meant.length === 0) return failure('NOT_FOUND');
  const forgotten = meant.length === 1 || input['confirm'] !== undefined;
  const open = forgotten ? {} : { confirm: 'ok' };
  return { status: 'success', forgotten, items: meant, count: meant.length, ...open };
}

/** A standup on the days to come, which is one series, and a meeting beside it. */
export function withSeries(title = '晨会'): Tool {
  const days = ['05', '06', '09'].map((day, index): JsonObject => ({
    id: `evt_s~${index + 1}`,
    seriesId: 'evt_s',
    recurrenceId: `202603${day}T090000`,
    recurrence: { rrule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' },
    title,
    allDay: false,
    startAt: `2026-03-${day}T09:00:00+08:00`,
    endAt: `2026-03-${day}T09:30:00+08:00`,
    attendees: [],
    role: 'owner',
    myStatus: 'owner',
    version: 3,
  }));
  return (method, input) => {
    if (method === 'read') {
      const items = days.filter(
        ({ id, startAt }) =>
          (input['date'] === undefined || String(startAt).startsWith(String(input['date']))) &&
          (input['event_id'] === undefined || input['event_id'] === id),
      );
      return { status: 'success', items, count: items.length };
    }
    const event = days.find(({ id }) => id === input['event_id']);
    return event ? { status: 'success', ...event } : failure('NOT_FOUND');
  };
}
