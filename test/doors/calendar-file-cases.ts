import { call, type DoorCase } from './door-case.js';

const FILE = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:door@example.com',
  'DTSTART;TZID=Asia/Shanghai:20260421T150000',
  'SUMMARY:牙医',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\n');
const SPAN = { start_at: '2099-12-01T00:00:00+08:00', end_at: '2099-12-03T00:00:00+08:00' };

/** Files and free times of the calendar. */
export const CALENDAR_FILE_CASES: DoorCase[] = [
  { name: 'import a file', call: call('calendar.import_ics', { ics: FILE }), expected: 'success' },
  {
    name: 'import what is no file',
    call: call('calendar.import_ics', { ics: 'BEGIN:VCALENDAR\nVERSION:2.0' }),
    expected: 'INVALID_ACTION_INPUT',
  },
  {
    name: 'export an event',
    call: call('calendar.export_ics', { event_id: '{{viewable}}' }),
    expected: 'success',
    shows: 'BEGIN:VEVENT',
  },
  {
    name: "export a stranger's event",
    call: call('calendar.export_ics', { event_id: '{{foreign}}' }),
    expected: 'NOT_FOUND',
  },
  {
    name: 'free and busy',
    call: call('calendar.free_busy', { ...SPAN, people: ['{{friend}}'] }),
    expected: 'success',
  },
  {
    name: 'busy times of a stranger too',
    call: call('calendar.free_busy', { ...SPAN, people: ['{{friend}}', 'nobody@example.org'] }),
    expected: 'partial',
  },
  {
    name: 'a slot',
    call: call('calendar.find_slot', { ...SPAN, duration_minutes: '30' }),
    expected: 'success',
    shows: '"slots"',
  },
  {
    name: 'a slot in a window that is too long',
    call: call('calendar.find_slot', {
      duration_minutes: 30,
      start_at: '2099-01-01T00:00:00Z',
      end_at: '2099-12-31T00:00:00Z',
    }),
    expected: 'INVALID_ACTION_INPUT',
  },
];
