import type { CapabilityExample } from '../../../tool-router/public.js';

const FILE = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:dentist-2026@example.com',
  'DTSTART;TZID=Asia/Shanghai:20260421T150000',
  'DTEND;TZID=Asia/Shanghai:20260421T160000',
  'SUMMARY:牙医',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\n');

export const IMPORT: CapabilityExample[] = [
  { title: 'An appointment that somebody sent as a file', input: { ics: FILE } },
];

export const EXPORT: CapabilityExample[] = [
  { title: 'One event', input: { event_id: 'evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X' } },
  {
    title: 'A week',
    input: { start_at: '2026-04-20T00:00:00+08:00', end_at: '2026-04-27T00:00:00+08:00' },
  },
];
