import { eventFile, START } from './belongings.js';
import { otherwise, read, refused, to, type IsolationCases } from './isolation-case.js';

/** Attempts on the calendar over HTTP. */
export const CALENDAR_ROUTES: IsolationCases = {
  methods: {},
  routes: {
    'GET /calendar/events': [
      {
        name: 'a day',
        attempt: () => to('/calendar/events?date=2036-12-01'),
        expected: 'own',
        ...read,
      },
      {
        name: 'a search',
        attempt: ({ mark }) => to(`/calendar/events?date=2036-12-01&query=${mark}`),
        expected: 'nothing',
        ...read,
      },
    ],
    'POST /calendar/events': [
      {
        name: 'under the same idempotency key',
        attempt: ({ idempotencyKey }, { mark }) =>
          to('/calendar/events', {
            title: `Another ${mark}`,
            start_at: START,
            idempotency_key: `${idempotencyKey}-2`,
          }),
        expected: 'own',
      },
    ],
    'GET /calendar/events/{event_id}': refused(
      ({ event }) => to(`/calendar/events/${event}`),
      read,
    ),
    'GET /calendar/events/{event_id}.ics': refused(
      ({ event }) => to(`/calendar/events/${event}.ics`),
      read,
    ),
    'PATCH /calendar/events/{event_id}': refused(({ event }) =>
      to(`/calendar/events/${event}`, { title: 'Mine' }),
    ),
    'DELETE /calendar/events/{event_id}': refused(({ event }) => to(`/calendar/events/${event}`)),
    'POST /calendar/events/{event_id}/share': refused(({ event }, { person }) =>
      to(`/calendar/events/${event}/share`, { with: [{ email: person.email }] }),
    ),
    'POST /calendar/events/{event_id}/accept': refused(({ invitation }) =>
      to(`/calendar/events/${invitation}/accept`, {}),
    ),
    'POST /calendar/events/{event_id}/reject': refused(({ invitation }) =>
      to(`/calendar/events/${invitation}/reject`, {}),
    ),
    'GET /calendar/invitations': [
      { name: 'all', attempt: () => to('/calendar/invitations'), expected: 'own', ...read },
    ],
    'POST /calendar/import': [
      {
        name: 'a file that the first person imported too',
        attempt: (_first, { mark }) =>
          to('/calendar/import', { ics: eventFile(`Yet again ${mark}`) }),
        expected: 'nothing',
      },
    ],
    'POST /calendar/import-url': [
      {
        name: "the first person's subscription, as the server itself could read it",
        attempt: ({ feedToken }) =>
          to('/calendar/import-url', {
            url: `http://127.0.0.1:3000/api/v1/calendar/feeds/${feedToken}.ics`,
          }),
        expected: 'INVALID_ACTION_INPUT',
      },
    ],
    'GET /calendar/export': [
      { name: 'all', attempt: () => to('/calendar/export'), expected: 'own', ...read },
    ],
    'GET /calendar/free-busy': refused(
      ({ person }) =>
        to(
          `/calendar/free-busy?start_at=2036-12-01T00:00:00Z&end_at=2036-12-02T00:00:00Z&people=${person.email}`,
        ),
      read,
    ),
    'GET /calendar/slots': [
      {
        name: 'with the first person',
        attempt: ({ person }) =>
          to(
            `/calendar/slots?duration_minutes=30&start_at=2036-12-01T00:00:00Z&end_at=2036-12-02T00:00:00Z&participants=${person.email}`,
          ),
        expected: 'own',
      },
    ],
    'POST /calendar/feeds': [
      {
        name: 'an own one',
        attempt: (_first, { mark }) => to('/calendar/feeds', { name: mark }),
        expected: 'own',
      },
    ],
    'GET /calendar/feeds': [
      { name: 'all', attempt: () => to('/calendar/feeds'), expected: 'own', ...read },
    ],
    'DELETE /calendar/feeds/{feed_id}': refused(({ feed }) => to(`/calendar/feeds/${feed}`)),
    'GET /calendar/feeds/{token}.ics': [
      {
        name: 'the id in place of the secret',
        attempt: ({ feed }) => to(`/calendar/feeds/${feed}.ics`),
        expected: 'NOT_FOUND',
      },
      {
        name: 'a secret that differs in its last letter',
        attempt: ({ feedToken }) => to(`/calendar/feeds/${otherwise(feedToken)}.ics`),
        expected: 'NOT_FOUND',
      },
      {
        name: 'the bearer token of its owner in place of the secret',
        attempt: ({ person }) => to(`/calendar/feeds/${person.token.slice(0, 90)}.ics`),
        expected: 'NOT_FOUND',
      },
      {
        name: 'the own secret',
        attempt: (_first, { feedToken }) => to(`/calendar/feeds/${feedToken}.ics`),
        expected: 'own',
      },
    ],
  },
};
