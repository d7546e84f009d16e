import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { CalendarReadingService } from '../../src/modules/calendar/calendar-reading.service.js';
import { CalendarService } from '../../src/modules/calendar/calendar.service.js';
import { AvailabilityService } from '../../src/modules/calendar/availability/availability.service.js';
import { IcalExportService } from '../../src/modules/calendar/ical/ical-export.service.js';
import { CalendarFeedsService } from '../../src/modules/calendar/ical/calendar-feeds.service.js';
import { ContactsReadingService } from '../../src/modules/contacts/contacts-reading.service.js';
import { ContactsVcardService } from '../../src/modules/contacts/contacts-vcard.service.js';
import { MemoryExportService } from '../../src/modules/memory/memory-export.service.js';
import { MemoryReadingService } from '../../src/modules/memory/memory-reading.service.js';
import { MemoryRecallService } from '../../src/modules/memory/memory-recall.service.js';
import { dayWindow, rangeWindow } from '../../src/modules/calendar/rules/time-window.js';
import { CONTACTS, EVENTS, FACTS, fillDataSets } from '../data-sets/fill.js';
import { described, recordPlans, rowsRead, sequentialScans } from '../data-sets/plans.js';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

const ZONE = 'Asia/Shanghai';
const DAY = '2023-04-21';
const WEEK = { start_at: '2023-04-17T00:00:00+08:00', end_at: '2023-04-24T00:00:00+08:00' };

/**
 * Issue 3: with 100,000 events, 20,000 contacts and 20,000 facts of one person, and as many of
 * others, reads go by indexes. What is looked at are the plans of the statements that the services
 * really send, executed: no table is read through, and no more rows are touched than the answer
 * gives reason for.
 */
describe('reading large data sets', () => {
  let product: Product;
  let database: DataSource;
  let owner: ApiClient;
  let guest: ApiClient;
  let feedToken: string;

  beforeAll(async () => {
    product = await startProduct();
    database = product.app.get(DataSource, { strict: false });
    await product.client().register();
    owner = await product.client().register();
    guest = await product.client().register();
    const feed = await owner.post('/calendar/feeds', { name: 'all' });
    feedToken = /feeds\/(.+)\.ics$/.exec(String(feed.body.url))?.[1] ?? '';
    await fillDataSets(database, owner.userId, guest.userId);
  }, 180_000);
  afterAll(() => product.close());

  const of = <T>(type: abstract new (...args: never[]) => T): T =>
    product.app.get<T>(type, { strict: false });
  const caller = () => ({ userId: owner.userId, timezone: ZONE });
  const invited = () => ({ userId: guest.userId, timezone: ZONE });
  const person = () => ({ ...caller(), locale: 'zh-CN' as const });
  const drain = async (pieces: AsyncIterable<string>): Promise<void> => {
    for await (const piece of pieces) expect(piece).toEqual(expect.any(String));
  };
  const calendar = () => of(CalendarReadingService);
  const contacts = () => of(ContactsReadingService);
  const memory = () => of(MemoryReadingService);

  /** Name, the read, and how many rows of the large tables it may touch in one statement. */
  const reads: [string, () => Promise<unknown>, number][] = [
    ['a day', () => calendar().read({ mode: 'day', date: DAY }, caller()), 3_000],
    ['a week', () => calendar().read({ mode: 'range', ...WEEK }, caller()), 3_000],
    [
      'a day in the year 2100',
      () => calendar().read({ mode: 'day', date: '2100-01-01' }, caller()),
      600,
    ],
    [
      'a day with invitations, of somebody invited to much',
      () => calendar().read({ mode: 'day', date: DAY, include_invitations: true }, invited()),
      12_000,
    ],
    ['a day with a word', () => calendar().list({ date: DAY, query: '体检' }, caller()), 3_000],
    [
      'search in Chinese',
      () => calendar().read({ mode: 'search', query: '体检 王小明' }, caller()),
      4_000,
    ],
    [
      'search of one character',
      () => calendar().read({ mode: 'search', query: '罗' }, caller()),
      12_000,
    ],
    [
      'search in English',
      () => calendar().read({ mode: 'search', query: 'design 142' }, caller()),
      1_500,
    ],
    [
      'search by two letters',
      () => calendar().read({ mode: 'search', query: 'bu 105' }, caller()),
      1_500,
    ],
    [
      'search by an attendee',
      () => calendar().read({ mode: 'search', query: 'nobody@example' }, caller()),
      100,
    ],
    ['one event', () => calendar().get(idOf('evt', 777), caller()), 10],
    ['invitations', () => calendar().invitations({}, invited()), 1_000],
    [
      'free and busy',
      () => of(AvailabilityService).freeBusy({ ...WEEK, people: [owner.email] }, invited()),
      12_000,
    ],
    [
      'a slot',
      () =>
        of(AvailabilityService).findSlot(
          {
            duration_minutes: 30,
            start_at: '2099-01-01T00:00:00Z',
            end_at: '2099-01-08T00:00:00Z',
          },
          caller(),
        ),
      1_000,
    ],
    [
      'conflicts of a new event',
      () =>
        of(CalendarService)
          .create(
            { title: 'New', start_at: '2023-04-21T09:00:00+08:00', on_conflict: 'refuse' },
            caller(),
          )
          .catch(() => undefined),
      3_000,
    ],
    [
      'export of a week',
      () => of(IcalExportService).all(rangeWindow(WEEK.start_at, WEEK.end_at, ZONE), caller()),
      3_000,
    ],
    [
      'export of a day, of somebody invited',
      () => of(IcalExportService).all(dayWindow(DAY, ZONE), invited()),
      12_000,
    ],
    ['the feed of a telephone', () => of(CalendarFeedsService).serve(feedToken), 7_000],
    ['contacts', () => contacts().list({}, person()), 200],
    ['contacts, further on', () => contacts().list({ cursor: cursor() }, person()), 200],
    ['contacts of a group', () => contacts().list({ group: 'vip' }, person()), 1_000],
    ['contacts with a Chinese name', () => contacts().list({ query: '王小明' }, person()), 3_000],
    ['contacts with a word', () => contacts().list({ query: 'schmidt 169' }, person()), 3_000],
    ['contacts with a number', () => contacts().list({ query: '138 1000' }, person()), 21_000],
    ['who is 王总', () => contacts().resolve('王总', person()), 3_000],
    ['who is Amy', () => contacts().resolve('Amy', person()), 3_000],
    ['who has an email', () => contacts().resolve('person77@example.com', person()), 200],
    ['who is misspelt', () => contacts().resolve('Schmitd', person()), 3_000],
    ['one contact', () => contacts().get(idOf('con', 77), person()), 10],
    ['a page of vCards', () => of(ContactsVcardService).export({ limit: 100 }, person()), 300],
    ['duplicates', () => contacts().duplicates({}, person()), CONTACTS + 200],
    ['facts', () => memory().read({ mode: 'list' }, owner.userId), 100],
    ['facts of a key', () => memory().list({ key: 'key.8' }, owner.userId), 100],
    ['a fact', () => memory().item(idOf('mem', 77), owner.userId), 100],
    ['facts with a Chinese word', () => memory().list({ query: '咖啡' }, owner.userId), 2_000],
    ['facts with a word', () => memory().list({ query: 'budget 405' }, owner.userId), 8_000],
    ['facts with a misspelt word', () => memory().list({ query: 'bugdet' }, owner.userId), 6_000],
    [
      'what a model is told',
      () =>
        of(MemoryRecallService).recall(owner.userId, '我喜欢喝咖啡吗', {
          items: 12,
          characters: 2_000,
        }),
      2_000,
    ],
    ['everything remembered', () => drain(of(MemoryExportService).document(owner.userId)), 1_000],
  ];

  const cursor = () => Buffer.from(JSON.stringify(['p', idOf('con', 77)])).toString('base64url');

  it('has the sizes that it speaks of', async () => {
    const count = async (table: string, column: string) => {
      const [row] = await database.query<{ count: string }[]>(
        `SELECT count(*) FROM ${table} WHERE ${column} = $1`,
        [owner.userId],
      );
      return Number(row?.count);
    };
    expect(await count('calendar_events', 'owner_id')).toBeGreaterThanOrEqual(EVENTS);
    expect(await count('contacts', 'owner_id')).toBe(CONTACTS);
    expect(await count('memory_facts', 'user_id')).toBe(FACTS);
  });

  it.each(reads)('goes by indexes: %s', async (_name, read, most) => {
    const plans = await recordPlans(database, read);
    expect(plans.length).toBeGreaterThan(0);
    for (const { sql, plan } of plans) {
      const scans = sequentialScans(plan);
      if (scans.length > 0)
        throw new Error(`${scans.join(', ')} in full: ${described(plan)} by ${sql}`);
      const rows = rowsRead(plan);
      if (rows > most) throw new Error(`${rows} rows read: ${described(plan)} by ${sql}`);
    }
  });
});

function idOf(kind: string, number: number): string {
  return `${kind}_${String(number).padStart(26, '0')}`;
}
