import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createCalendar, type TestCalendar } from '../../../../test/factories/calendar.js';
import { ICAL_PIECES, damage, damaged } from '../../../../test/factories/damaged-files.js';
import {
  failAtRow,
  gate,
  untilSomebodyWaits,
  type Failure,
} from '../../../../test/support/failing-rows.js';
import { StewardError } from '../../../common/steward-error.js';

const COUNT = 600;

function event(uid: string, title: string, more = ''): string {
  return `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20260421T070000Z\r\nDTEND:20260421T080000Z\r\nSUMMARY:${title}\r\n${more}END:VEVENT\r\n`;
}

function file(...events: string[]): Buffer {
  return Buffer.from(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`);
}

/** More than one INSERT takes, with people, which are written last. */
const MANY = file(
  ...Array.from({ length: COUNT }, (_, n) =>
    event(`many-${n}`, `Event ${n}`, `ATTENDEE:mailto:p${n}@example.com\r\n`),
  ),
);

describe('an import is whole or nothing', () => {
  let calendar: TestCalendar;
  beforeAll(async () => {
    calendar = await createCalendar();
  });
  afterEach(() => calendar.empty());
  afterAll(() => calendar.close());

  const take = (bytes: Buffer) => calendar.importing.import(bytes, calendar.caller('owner'));
  const titles = async (): Promise<string[]> => {
    const rows = await calendar.dataSource.query<{ title: string }[]>(
      'SELECT title FROM calendar_events ORDER BY uid, recurrence_id NULLS FIRST',
    );
    return rows.map(({ title }) => title);
  };

  it.each<['calendar_events' | 'calendar_attendees', Failure, number]>([
    ['calendar_events', 'raise', 1],
    ['calendar_events', 'raise', 550],
    ['calendar_events', 'terminate', 550],
    // The last of the events: an update, after all that is new.
    ['calendar_events', 'raise', COUNT + 1],
    ['calendar_attendees', 'raise', 300],
    ['calendar_attendees', 'terminate', 300],
  ])('when writing %s fails (%s) at row %i', async (table, failure, row) => {
    await take(file(event('known', 'Before')));
    const both = Buffer.concat([
      MANY.subarray(0, MANY.lastIndexOf('END:VCALENDAR')),
      Buffer.from(`${event('known', 'After')}END:VCALENDAR\r\n`),
    ]);
    const end = await failAtRow(calendar.dataSource, table, row, failure);
    await expect(take(both)).rejects.toThrow();
    expect(await titles()).toEqual(['Before']);
    await end();
    expect(await take(both)).toMatchObject({ created: COUNT, updated: 1, skipped: 0 });
    expect(await take(both)).toMatchObject({ created: 0, updated: 0, unchanged: COUNT + 1 });
  });

  it('twice at once, it makes one set of events', async () => {
    const google = readFileSync('test/fixtures/ical/google.ics');
    const reports = await Promise.all([take(google), take(google), take(google)]);
    expect(reports.map(({ created }) => created).toSorted((a, b) => a - b)).toEqual([0, 0, 4]);
    expect(reports.map(({ unchanged }) => unchanged).toSorted((a, b) => a - b)).toEqual([0, 4, 4]);
    expect(await titles()).toHaveLength(4);
  });

  it('with one UID twice, it keeps the newer version and says so', async () => {
    const twice = file(
      event('twice', 'New', 'SEQUENCE:2\r\n'),
      event('twice', 'Old', 'SEQUENCE:1\r\n'),
    );
    expect(await take(twice)).toMatchObject({
      created: 1,
      skipped: 1,
      problems: [{ line: 10, reason: 'a newer version of it is on line 3.', uid: 'twice' }],
    });
    expect(await titles()).toEqual(['New']);
  });

  it('waits for an edit, and then sees the occurrence that the edit made', async () => {
    const series = event('daily', 'Daily', 'RRULE:FREQ=DAILY;COUNT=5\r\n');
    await take(file(series));
    const { items } = await calendar.reading.read(
      { mode: 'range', start_at: '2026-04-22T00:00:00Z', end_at: '2026-04-23T00:00:00Z' },
      calendar.caller('owner'),
    );
    const id = items[0]?.id ?? '';
    const [edited, release] = [gate(), gate()];
    const edit = calendar.uow.run(async () => {
      const change = { event_id: id, title: 'Edited', scope: 'this' as const };
      await calendar.calendar.update(change, calendar.caller('owner'));
      edited.open();
      await release.opened;
    });
    await edited.opened;
    const override = event(
      'daily',
      'From the file',
      'RECURRENCE-ID:20260422T070000Z\r\nSEQUENCE:1\r\n',
    ).replaceAll('20260421T', '20260422T');
    const importing = take(file(series, override));
    await untilSomebodyWaits(calendar.dataSource);
    release.open();
    await edit;
    expect(await importing).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    expect(await titles()).toEqual(['Daily', 'From the file']);
  });

  it('whatever was done to the file, what the report counts is what is there', async () => {
    const fixtures = ['google', 'outlook', 'apple'].map((name) =>
      readFileSync(`test/fixtures/ical/${name}.ics`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...fixtures),
        fc.array(damage(ICAL_PIECES), { minLength: 1, maxLength: 6 }),
        async (bytes, damages) => {
          await calendar.empty();
          const broken = damages.reduce(damaged, bytes);
          try {
            const { created } = await take(broken);
            expect(await titles()).toHaveLength(created);
            expect(await take(broken)).toMatchObject({ created: 0, updated: 0 });
          } catch (error) {
            if (!(error instanceof StewardError)) throw error;
            expect(error.message).toMatch(/Line \d+: |at most/);
            expect(await titles()).toEqual([]);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
