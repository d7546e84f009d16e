import type { JsonObject } from '../../../common/json.js';
import { FakeCalendar } from './fake-calendar.js';

const AMY: JsonObject = {
  id: 'con_1',
  name: 'Amy Chen',
  version: 1,
  phones: [{ value: '138 0013 8000' }],
  emails: [{ value: 'amy@example.com' }],
};
const FACT: JsonObject = { id: 'mem_1', text: 'likes a seat at the window' };

/** Calendar, contacts and memory with a little in them, answering as their projections do. */
export function fakeModules(): (method: string, input: JsonObject, module: string) => JsonObject {
  const calendar = new FakeCalendar();
  calendar.add('季度总结会', '2026-03-06T14:00', '2026-03-06T15:00');
  calendar.add('Dentist', '2026-03-06T09:00', '2026-03-06T09:30');
  return (method, input, module) => {
    if (module === 'calendar') {
      if (method === 'free_busy') return { status: 'success', people: [], count: 0 };
      if (method === 'find_slot') return { status: 'success', slots: [], count: 0 };
      return calendar.tool(method, input);
    }
    if (module === 'contacts') {
      return method === 'read'
        ? { status: 'success', items: [AMY], count: 1, ambiguous: false }
        : { status: 'success', ...AMY };
    }
    if (method !== 'forget') return { status: 'success', items: [FACT], count: 1 };
    const confirmed = input['confirm'] !== undefined;
    const open = confirmed ? {} : { confirm: 'ok' };
    return { status: 'success', forgotten: confirmed, items: [FACT], count: 1, ...open };
  };
}
