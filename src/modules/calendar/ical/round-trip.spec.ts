import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { StewardError } from '../../../common/steward-error.js';
import type { EventFacts } from '../event-facts.js';
import { ICAL_PIECES, damage, damaged } from '../../../../test/factories/damaged-files.js';
import { anyEvents } from '../../../../test/factories/ical-events.js';
import { readIcal } from './ical-file.js';
import { writeCalendar, type IcalGroup } from './ical-writer.js';
import { planImport } from './import-plan.js';

const NOW = new Date('2026-04-20T08:00:00Z');
const OWNER = { id: 'usr_owner', email: 'owner@example.com', displayName: 'owner' };
const ORGANIZERS = new Map([[OWNER.id, OWNER]]);

/** What an empty calendar of the owner holds after importing the file. */
function imported(bytes: Uint8Array, existing: EventFacts[] = []) {
  const isReader = (email: string) => email === OWNER.email;
  const reader = { timezone: 'Asia/Shanghai', preserve: true, isReader };
  const file = readIcal(bytes, reader);
  return planImport(file, { ownerId: OWNER.id, now: NOW, existing, shared: new Set() });
}

function grouped(events: EventFacts[]): IcalGroup[] {
  return events
    .filter((event) => !event.occurrence)
    .sort((a, b) => (a.uid < b.uid ? -1 : 1))
    .map((event) => ({
      event,
      overrides: events.filter((other) => other.occurrence?.seriesId === event.id),
    }));
}

const written = (events: EventFacts[]) => writeCalendar(grouped(events), ORGANIZERS);

describe('writing and reading', () => {
  it.each(['google', 'outlook', 'apple'])(
    'a file of %s is stable from the first export on',
    (name) => {
      const first = imported(readFileSync(`test/fixtures/ical/${name}.ics`)).created;
      expect(first.length).toBeGreaterThan(2);
      const text = written(first);
      const second = imported(Buffer.from(text));
      expect(second.skipped).toEqual([]);
      expect(written(second.created)).toBe(text);
    },
  );

  it('any events are written, read and written again without a difference', () => {
    fc.assert(
      fc.property(anyEvents(NOW, OWNER.id), (events) => {
        const text = written(events);
        const again = imported(Buffer.from(text));
        expect(again.skipped).toEqual([]);
        expect(written(again.created)).toBe(text);
        // And the calendar that wrote it has nothing to learn from it.
        const back = imported(Buffer.from(text), events);
        expect(back).toMatchObject({ created: [], updated: [], unchanged: events.length });
      }),
      { numRuns: 150 },
    );
  });

  it('lines have at most 75 octets, no split characters, and CRLF', () => {
    fc.assert(
      fc.property(anyEvents(NOW, OWNER.id), (events) => {
        const lines = written(events).split('\r\n');
        expect(lines.pop()).toBe('');
        for (const line of lines) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line).not.toMatch(/[\r\n]|\p{Surrogate}/u);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('another reader finds the same texts', () => {
    fc.assert(
      fc.property(anyEvents(NOW, OWNER.id), (events) => {
        const parsed = new ICAL.Component(ICAL.parse(written(events)) as unknown[]);
        const titles = parsed
          .getAllSubcomponents('vevent')
          .map((component) => String(component.getFirstPropertyValue('summary')));
        expect(titles.sort()).toEqual(events.map((event) => event.title).sort());
      }),
      { numRuns: 40 },
    );
  });
});

describe('zones in files', () => {
  it('are described as another reader understands them', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Asia/Shanghai',
      'Australia/Sydney',
      'Africa/Casablanca',
      'America/Sao_Paulo',
      'Asia/Kolkata',
    ];
    const [event] = imported(readFileSync('test/fixtures/ical/google.ics')).created;
    if (!event || event.schedule.allDay) throw new Error('the first event has a time');
    for (const timezone of zones) {
      for (const month of [1, 3, 4, 7, 10, 11, 12]) {
        for (const year of [2026, 2027, 2035]) {
          const startAt = new Date(Date.UTC(year, month - 1, 28, 12));
          const schedule = {
            allDay: false as const,
            startAt,
            endAt: new Date(startAt.getTime() + 1),
            timezone,
          };
          const parsed = new ICAL.Component(
            ICAL.parse(
              writeCalendar([{ event: { ...event, schedule }, overrides: [] }], ORGANIZERS),
            ) as unknown[],
          );
          const start = parsed.getFirstSubcomponent('vevent')?.getFirstPropertyValue('dtstart');
          const zone = new ICAL.Timezone(parsed.getFirstSubcomponent('vtimezone') ?? undefined);
          if (!(start instanceof ICAL.Time)) throw new Error('there is a start');
          const offset = zone.utcOffset(start);
          const wall = Date.UTC(start.year, start.month - 1, start.day, start.hour, start.minute);
          expect([timezone, startAt.toISOString(), wall - offset * 1000]).toEqual([
            timezone,
            startAt.toISOString(),
            startAt.getTime(),
          ]);
        }
      }
    }
  });
});

describe('files that somebody broke', () => {
  const fixtures = ['google', 'outlook', 'apple'].map((name) =>
    readFileSync(`test/fixtures/ical/${name}.ics`),
  );

  it('are imported or refused with a line, and never anything else', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...fixtures),
        fc.array(damage(ICAL_PIECES), { minLength: 1, maxLength: 8 }),
        (bytes, damages) => {
          const text = damages.reduce(damaged, bytes);
          let plan;
          try {
            plan = imported(text);
          } catch (error) {
            if (!(error instanceof StewardError)) throw error;
            expect(['INVALID_ACTION_INPUT', 'LIMIT_EXCEEDED']).toContain(error.code);
            if (error.code === 'INVALID_ACTION_INPUT') expect(error.message).toMatch(/Line \d+: /);
            return;
          }
          for (const { line, reason } of plan.skipped) {
            expect(line).toBeGreaterThan(0);
            expect(reason).toMatch(/\.$/);
          }
          // What was taken can be written, and read again.
          expect(imported(Buffer.from(written(plan.created))).created).toHaveLength(
            plan.created.length,
          );
        },
      ),
      { numRuns: 400 },
    );
  });
});
