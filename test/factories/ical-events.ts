import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { newId } from '../../src/common/ids.js';
import type { EventFacts } from '../../src/modules/calendar/event-facts.js';
import type { AttendeeFacts } from '../../src/modules/calendar/rules/attendees.js';
import { plannedReminders } from '../../src/modules/calendar/rules/reminders.js';
import type { Schedule } from '../../src/modules/calendar/rules/schedule.js';
import { shiftWall, startWall } from '../../src/modules/calendar/rules/wall-time.js';
import { addDays } from '../../src/modules/calendar/rules/zone.js';

const MINUTE = 60_000;
const ZONES = [
  'Asia/Shanghai',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Africa/Casablanca',
  'UTC',
];

/** Texts that are hard to carry: escapes, folds, quotes, other scripts, emoji of several parts. */
const word = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  fc.constantFrom(
    '会议，三楼；“评审”',
    '👩‍👧‍👦🎂'.repeat(9),
    'a\\n,b;c:"d"^e',
    'é'.repeat(60),
    ' x ',
    '\ttab',
    '^n^^',
  ),
);
// Beyond these the calendar stores what it is given, but a file has no place for it.
const clean = (text: string) => text.replace(/[\p{Cc}\p{Surrogate}]/gu, '');
const oneLine = word.map((text) => clean(text).replace(/\s+/g, ' ').trim());
const title = oneLine.map(
  (text) =>
    text
      .slice(0, 190)
      .replace(/\p{Surrogate}/gu, '')
      .trim() || 'x',
);
const manyLines = fc
  .array(word.map(clean), { maxLength: 4 })
  .map((lines) => lines.join('\n').trimEnd() || null);

const second = (min: string, max: string) =>
  fc
    .integer({ min: Date.parse(min) / 1000, max: Date.parse(max) / 1000 })
    .map((seconds) => new Date(seconds * 1000));

const timed: fc.Arbitrary<Schedule> = fc
  .record({
    startAt: second('1990-01-01T00:00:00Z', '2036-01-01T00:00:00Z'),
    minutes: fc.integer({ min: 1, max: 31 * 24 * 60 }),
    timezone: fc.constantFrom(...ZONES),
  })
  .map(({ startAt, minutes, timezone }) => ({
    allDay: false,
    startAt,
    endAt: new Date(startAt.getTime() + minutes * MINUTE),
    timezone,
  }));

/** In a zone whose clocks never change, as every floating time of one reader is. */
const floating: fc.Arbitrary<Schedule> = timed.map((schedule) =>
  schedule.allDay ? schedule : { ...schedule, timezone: 'Asia/Shanghai', floating: true },
);

const wholeDays: fc.Arbitrary<Schedule> = fc
  .record({ day: fc.integer({ min: 0, max: 20_000 }), length: fc.integer({ min: 0, max: 365 }) })
  .map(({ day, length }) => {
    const startDate = addDays('1980-01-01', day);
    return {
      allDay: true,
      startDate,
      endDate: addDays(startDate, length),
      timezone: 'Asia/Shanghai',
    };
  });

/** What other programs write and this calendar only carries. */
const params = fc.constantFrom(
  '',
  ';ROLE=OPT-PARTICIPANT;PARTSTAT=TENTATIVE',
  ';CUTYPE=RESOURCE;X-NUM-GUESTS=2',
  `;DELEGATED-TO="mailto:${'long'.repeat(20)}@example.com","mailto:b@example.com"`,
);
const carried = fc.oneof(
  fc.constantFrom(
    'TRANSP:TRANSPARENT',
    'STATUS:TENTATIVE',
    'CLASS:PRIVATE',
    'CATEGORIES:Büro,会议',
    'GEO:37.7955;-122.3937',
    'URL;VALUE=URI:https://example.com/a?b=c;d,e',
    'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="1 Road\\nTown";X-TITLE="A, B":geo:1,2',
  ),
  word.map((text) => `X-NOTE;X-P=1:${clean(text)}`),
);
const preserved = fc.option(
  fc.record(
    { lines: fc.array(carried, { minLength: 1, maxLength: 5 }), self: params.filter(Boolean) },
    { requiredKeys: ['lines'] },
  ),
);

const person: fc.Arbitrary<AttendeeFacts> = fc
  .record({
    name: oneLine.map((text) => text.slice(0, 90).trim()),
    mail: fc.option(fc.nat(500)),
    params,
  })
  .map(({ name, mail, params: attendee }) => ({
    userId: null,
    name: name.replace(/\p{Surrogate}/gu, '').trim() || (mail === null ? 'Amy' : null),
    email: mail === null ? null : `person${mail}@example.com`,
    permission: 'view',
    status: 'listed',
    invitedAt: null,
    respondedAt: null,
    preserved: attendee ? { attendee } : null,
  }));

/** The first of them may be the organizer, and only that. */
const organized = (people: AttendeeFacts[], how: 'not' | 'also' | 'only'): AttendeeFacts[] =>
  people.map((one, index) => {
    if (index > 0 || how === 'not') return one;
    const organizer = ';SENT-BY="mailto:office@example.com"';
    const attendee = one.preserved?.attendee ?? '';
    return { ...one, preserved: how === 'only' ? { organizer } : { organizer, attendee } };
  });

const rule = fc.constantFrom(
  null,
  'FREQ=DAILY',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR',
  'FREQ=MONTHLY;COUNT=12;BYDAY=-1FR',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
);

const event = (now: Date, ownerId: string) =>
  fc
    .record({
      schedule: fc.oneof(timed, floating, wholeDays),
      title,
      location: oneLine.map((text) => text || null),
      notes: manyLines,
      people: fc.uniqueArray(person, {
        maxLength: 4,
        selector: ({ email, name }) => email ?? name?.toLowerCase(),
      }),
      reminders: fc.array(
        fc.record({
          minutes_before: fc.nat(40_000),
          method: fc.constantFrom('popup' as const, 'email' as const),
        }),
        { maxLength: 3 },
      ),
      organizer: fc.constantFrom('not' as const, 'also' as const, 'only' as const),
      preserved,
      rrule: rule,
      extra: fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 3 }),
      sequence: fc.nat(5),
      age: fc.nat(1_000_000),
    })
    .map((facts): EventFacts => {
      const id = newId('evt');
      const start = startWall(facts.schedule);
      const days = facts.extra.map((day) =>
        shiftWall(start, Temporal.Duration.from({ days: day })),
      );
      const recurrence = facts.rrule
        ? { rrule: facts.rrule, rdates: [], exdates: [...days].sort() }
        : facts.extra.length > 1
          ? { rrule: null, rdates: [...days].sort(), exdates: [] }
          : null;
      const at = new Date(now.getTime() - facts.age * 1000);
      return {
        id,
        ownerId,
        uid: `${id}@steward`,
        title: facts.title,
        schedule: facts.schedule,
        recurrence,
        occurrence: null,
        location: facts.location,
        notes: facts.notes,
        reminders: plannedReminders(facts.reminders),
        sequence: facts.sequence,
        version: 1,
        createdAt: at,
        updatedAt: at,
        preserved: facts.preserved,
        attendees: organized(facts.people, facts.organizer),
      };
    });

/** Events as the calendar may hold them, some of them series with an override. */
export function anyEvents(now: Date, ownerId: string): fc.Arbitrary<EventFacts[]> {
  return fc
    .array(fc.tuple(event(now, ownerId), fc.option(event(now, ownerId))), { maxLength: 4 })
    .map((pairs) =>
      pairs.flatMap(([series, other]) => {
        if (!series.recurrence || !other || series.schedule.allDay !== other.schedule.allDay) {
          return [series];
        }
        const recurrenceId = startWall(series.schedule);
        const occurrence = { seriesId: series.id, recurrenceId };
        return [series, { ...other, uid: series.uid, recurrence: null, occurrence }];
      }),
    );
}
