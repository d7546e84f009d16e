import type { CapabilityExample } from '../../tool-router/public.js';

/** An occurrence of a series, as a day or range shows it. */
const OCCURRENCE_ID = 'evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X~20260504T090000';
const EVENT_ID = 'evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X';

/** Calls that `help.describe` shows; a test validates each against the input class. */
export const READ: CapabilityExample[] = [
  { title: 'One day', input: { mode: 'day', date: '2026-04-21' } },
  {
    title: 'A range, with open invitations',
    input: {
      mode: 'range',
      start_at: '2026-04-21T00:00:00+08:00',
      end_at: '2026-04-28T00:00:00+08:00',
      include_invitations: true,
    },
  },
  { title: 'One event', input: { mode: 'event', event_id: EVENT_ID } },
  {
    title: 'Words in title, place, notes or attendees, at any time',
    input: { mode: 'search', query: '体检' },
  },
];

export const CREATE: CapabilityExample[] = [
  {
    title: 'A meeting',
    input: {
      title: 'Project sync',
      start_at: '2026-04-21T15:00:00+08:00',
      duration_minutes: 60,
      location: 'Room 3',
      attendees: [{ name: 'Amy', email: 'amy@example.com' }],
    },
  },
  {
    title: 'Whole days, both included',
    input: { title: '出差', all_day: true, start_date: '2026-04-21', end_date: '2026-04-23' },
  },
  {
    title: 'Every Monday and Wednesday until the summer, with a reminder',
    input: {
      title: '晨会',
      start_at: '2026-04-27T09:00:00+08:00',
      duration_minutes: 15,
      rrule: 'FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260630',
      exdates: ['2026-05-04'],
      reminders: [10],
    },
  },
  {
    title: 'Only if the time is free, and only once however often it is sent',
    input: {
      title: 'Interview',
      start_at: '2026-04-22T10:00:00+08:00',
      on_conflict: 'refuse',
      idempotency_key: 'interview-amy-1',
    },
  },
  {
    title: 'Several at once',
    input: {
      events: [
        { title: 'Standup', start_at: '2026-04-21T09:00:00+08:00', duration_minutes: 15 },
        { title: 'Review', start_at: '2026-04-21T16:00:00+08:00' },
      ],
    },
  },
];

export const UPDATE: CapabilityExample[] = [
  {
    title: 'Move it, unless somebody changed it meanwhile',
    input: { event_id: EVENT_ID, start_at: '2026-04-21T16:00:00+08:00', expected_version: 1 },
  },
  { title: 'Remove the place', input: { event_id: EVENT_ID, location: '' } },
  {
    title: 'Move one occurrence of a series',
    input: { event_id: OCCURRENCE_ID, start_at: '2026-05-04T10:00:00+08:00' },
  },
  {
    title: 'Move this and all later occurrences',
    input: {
      event_id: OCCURRENCE_ID,
      scope: 'this_and_following',
      start_at: '2026-05-04T10:00:00+08:00',
    },
  },
];

export const DELETE: CapabilityExample[] = [
  { title: 'Delete an event, or a whole series', input: { event_id: EVENT_ID } },
  { title: 'Leave out one occurrence', input: { event_id: OCCURRENCE_ID } },
  { title: 'End a series', input: { event_id: OCCURRENCE_ID, scope: 'this_and_following' } },
];

export const SHARE: CapabilityExample[] = [
  {
    title: 'One may edit, one may look',
    input: {
      event_id: EVENT_ID,
      with: [{ email: 'amy@example.com', permission: 'edit' }, { email: 'bob@example.com' }],
    },
  },
  {
    title: 'Withdraw an invitation',
    input: { event_id: EVENT_ID, with: [{ email: 'bob@example.com', permission: 'none' }] },
  },
];

export const ANSWER: CapabilityExample[] = [
  { title: 'Answer an invitation', input: { event_id: EVENT_ID } },
];
