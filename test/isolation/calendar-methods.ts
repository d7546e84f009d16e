import { eventFile, START, UNSAID } from './belongings.js';
import { type IsolationCases, type MethodCase } from './isolation-case.js';

const DAY = {
  mode: 'range',
  start_at: '2036-12-01T00:00:00+08:00',
  end_at: '2036-12-02T00:00:00+08:00',
};
const SPAN = { start_at: DAY.start_at, end_at: DAY.end_at };
const byEvent: MethodCase['input'] = ({ event }) => ({ event_id: event });
const byOccurrence: MethodCase['input'] = ({ occurrence }) => ({ event_id: occurrence });
const byInvitation: MethodCase['input'] = ({ invitation }) => ({ event_id: invitation });

const answering: MethodCase[] = [
  { name: 'an event', input: byEvent, expected: 'NOT_FOUND' },
  { name: 'an occurrence', input: byOccurrence, expected: 'NOT_FOUND' },
  { name: 'an invitation of the first person', input: byInvitation, expected: 'NOT_FOUND' },
];

/** Attempts on the calendar through project_cli. */
export const CALENDAR_METHODS: IsolationCases = {
  methods: {
    'calendar.accept_invite': answering,
    'calendar.reject_invite': answering,
    'calendar.create': [
      {
        name: 'under the same idempotency key',
        input: ({ idempotencyKey }, { mark }) => ({
          title: `${mark} ${UNSAID}`,
          start_at: START,
          idempotency_key: idempotencyKey,
        }),
        expected: 'own',
      },
      {
        name: 'at the time of the first person',
        input: (_first, { mark }) => ({
          title: `Newer ${mark}`,
          start_at: START,
          on_conflict: 'allow',
        }),
        expected: 'own',
      },
    ],
    'calendar.delete': [
      { name: 'an event', input: byEvent, expected: 'NOT_FOUND' },
      { name: 'an occurrence', input: byOccurrence, expected: 'NOT_FOUND' },
      {
        name: 'a series from an occurrence on',
        input: ({ occurrence }) => ({ event_id: occurrence, scope: 'this_and_following' }),
        expected: 'NOT_FOUND',
      },
    ],
    'calendar.export_ics': [
      { name: 'an event', input: byEvent, expected: 'NOT_FOUND', control: true },
      { name: 'a range', input: () => SPAN, expected: 'own', control: true },
    ],
    'calendar.find_slot': [
      {
        name: 'with the first person',
        input: ({ person }) => ({ duration_minutes: 30, participants: [person.email], ...SPAN }),
        expected: 'own',
      },
    ],
    'calendar.free_busy': [
      {
        name: 'of the first person',
        input: ({ person }) => ({ ...SPAN, people: [person.email] }),
        expected: 'NOT_FOUND',
        control: true,
      },
      { name: 'of oneself', input: () => SPAN, expected: 'own' },
    ],
    'calendar.import_ics': [
      {
        name: 'a file that the first person imported too',
        input: (_first, { mark }) => ({ ics: eventFile(`Again ${mark}`) }),
        expected: 'nothing',
      },
    ],
    'calendar.read': [
      {
        name: 'an event',
        input: ({ event }) => ({ mode: 'event', event_id: event }),
        expected: 'NOT_FOUND',
        control: true,
      },
      {
        name: 'an occurrence',
        input: ({ occurrence }) => ({ mode: 'event', event_id: occurrence }),
        expected: 'NOT_FOUND',
        control: true,
      },
      {
        name: 'an invitation',
        input: ({ invitation }) => ({ mode: 'event', event_id: invitation }),
        expected: 'NOT_FOUND',
        control: true,
      },
      {
        name: 'a day',
        input: () => ({ mode: 'day', date: '2036-12-01' }),
        expected: 'own',
        control: true,
      },
      {
        name: 'a range with invitations',
        input: () => ({ ...DAY, include_invitations: true }),
        expected: 'own',
        control: true,
      },
      {
        name: 'a page of the first person',
        input: ({ cursor }) => ({ mode: 'day', date: '2036-12-01', cursor }),
        expected: 'own',
        control: true,
      },
      {
        name: 'a search',
        input: ({ mark }) => ({ mode: 'search', query: mark, include_invitations: true }),
        expected: 'nothing',
        control: true,
      },
      {
        name: 'a search of a range',
        input: ({ mark }) => ({ ...SPAN, mode: 'search', query: mark }),
        expected: 'nothing',
        control: true,
      },
    ],
    'calendar.share': [
      {
        name: 'an event',
        input: ({ event }, { person }) => ({ event_id: event, with: [{ email: person.email }] }),
        expected: 'NOT_FOUND',
      },
      {
        name: 'an invitation',
        input: ({ invitation }, { person }) => ({
          event_id: invitation,
          with: [{ email: person.email, permission: 'edit' }],
        }),
        expected: 'NOT_FOUND',
      },
    ],
    'calendar.update': [
      {
        name: 'an event',
        input: ({ event }) => ({ event_id: event, title: 'Mine' }),
        expected: 'NOT_FOUND',
      },
      {
        name: 'an event with an old version',
        input: ({ event }) => ({ event_id: event, title: 'Mine', expected_version: 9 }),
        expected: 'NOT_FOUND',
      },
      {
        name: 'a series from an occurrence on',
        input: ({ occurrence }) => ({
          event_id: occurrence,
          scope: 'this_and_following',
          title: 'Mine',
        }),
        expected: 'NOT_FOUND',
      },
    ],
  },
  routes: {},
};
