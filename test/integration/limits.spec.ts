import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

type Code = 'INVALID_ACTION_INPUT' | 'LIMIT_EXCEEDED';

const x = (length: number): string => 'x'.repeat(length);
const list = <T>(count: number, entry: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => entry(index));
const START = '2026-12-01T10:00:00Z';
const event = { title: 'T', start_at: START };
const email = (index: number): string => `p${index}@example.org`;
const picture = `data:image/png;base64,${Buffer.alloc(256 * 1024 + 3).toString('base64')}`;

/** What is a little too much, what refuses it, and the number that the refusal must name. */
const LIMITS: [name: string, method: string, input: object, code: Code, limit: string][] = [
  ['title', 'calendar.create', { ...event, title: x(201) }, 'INVALID_ACTION_INPUT', '200'],
  ['place', 'calendar.create', { ...event, location: x(501) }, 'INVALID_ACTION_INPUT', '500'],
  ['notes', 'calendar.create', { ...event, notes: x(10_001) }, 'INVALID_ACTION_INPUT', '10000'],
  [
    'attendees',
    'calendar.create',
    { ...event, attendees: list(101, email) },
    'INVALID_ACTION_INPUT',
    '100',
  ],
  [
    'batch of events',
    'calendar.create',
    { events: list(51, () => event) },
    'INVALID_ACTION_INPUT',
    '50',
  ],
  [
    'reminders',
    'calendar.create',
    { ...event, reminders: list(11, (i) => i) },
    'INVALID_ACTION_INPUT',
    '10',
  ],
  [
    'length in minutes',
    'calendar.create',
    { ...event, duration_minutes: 44_641 },
    'INVALID_ACTION_INPUT',
    '44640',
  ],
  [
    'length of an event',
    'calendar.create',
    { ...event, end_at: '2027-01-02T10:00:00Z' },
    'INVALID_ACTION_INPUT',
    '31',
  ],
  [
    'length in days',
    'calendar.create',
    { title: 'T', start_date: '2026-01-01', end_date: '2027-01-02' },
    'INVALID_ACTION_INPUT',
    '366',
  ],
  [
    'counted occurrences',
    'calendar.create',
    { ...event, rrule: 'FREQ=DAILY;COUNT=2001' },
    'LIMIT_EXCEEDED',
    '2000',
  ],
  [
    'shared with',
    'calendar.share',
    { event_id: 'evt_1', with: list(51, email) },
    'INVALID_ACTION_INPUT',
    '50',
  ],
  [
    'window',
    'calendar.read',
    { mode: 'range', start_at: '2026-01-01T00:00:00Z', end_at: '2027-02-01T00:00:00Z' },
    'INVALID_ACTION_INPUT',
    '366',
  ],
  [
    'page of events',
    'calendar.read',
    { mode: 'day', date: '2026-12-01', limit: 201 },
    'INVALID_ACTION_INPUT',
    '200',
  ],
  ['search', 'calendar.read', { mode: 'search', query: x(201) }, 'INVALID_ACTION_INPUT', '200'],
  [
    'window of busy times',
    'calendar.free_busy',
    { start_at: START, end_at: '2027-03-01T10:00:00Z' },
    'INVALID_ACTION_INPUT',
    '62',
  ],
  [
    'people',
    'calendar.free_busy',
    { start_at: START, end_at: '2026-12-02T10:00:00Z', people: list(21, email) },
    'INVALID_ACTION_INPUT',
    '20',
  ],
  ['file in a call', 'calendar.import_ics', { ics: x(65_537) }, 'INVALID_ACTION_INPUT', '65536'],
  ['name', 'contacts.create', { name: x(201) }, 'INVALID_ACTION_INPUT', '200'],
  [
    'aliases',
    'contacts.create',
    { name: 'A', aliases: list(51, (i) => `a${i}`) },
    'INVALID_ACTION_INPUT',
    '50',
  ],
  [
    'page of contacts',
    'contacts.read',
    { mode: 'list', limit: 201 },
    'INVALID_ACTION_INPUT',
    '200',
  ],
  [
    'merged at once',
    'contacts.merge',
    { contact_id: 'con_1', other_ids: list(21, (i) => `con_${i}`) },
    'INVALID_ACTION_INPUT',
    '20',
  ],
  ['text of a fact', 'memory.update', { text: x(1_001) }, 'INVALID_ACTION_INPUT', '1000'],
  ['key of a fact', 'memory.update', { key: x(65), text: 'x' }, 'INVALID_ACTION_INPUT', '64'],
  [
    'batch of facts',
    'memory.update',
    { operations: list(51, () => ({ text: 'x' })) },
    'INVALID_ACTION_INPUT',
    '50',
  ],
  ['page of facts', 'memory.read', { mode: 'list', limit: 101 }, 'INVALID_ACTION_INPUT', '100'],
];

/**
 * Issue 3, docs/LIMITS.md: an input that is itself too long is INVALID_ACTION_INPUT at its path;
 * LIMIT_EXCEEDED is what is kept, a file, or the work that is asked for. Either names the limit.
 */
describe('a limit', () => {
  let product: Product;
  let person: ApiClient;
  let credential: string;

  beforeAll(async () => {
    product = await startProduct();
    person = await product.client().register();
    ({ credential } = await person.credential());
  }, 60_000);
  afterAll(() => product.close());

  it.each(LIMITS)('names itself: %s (%s)', async (_name, method, input, code, limit) => {
    const [module, name] = method.split('.');
    const { body } = await person.post(
      '/tools/project_cli',
      { module, method: name, input },
      { authorization: `Bearer ${credential}` },
    );
    const { error } = body as { error?: { code: string; message: string; issues?: object[] } };
    expect(error?.code).toBe(code);
    expect(error?.message).toMatch(new RegExp(`\\b${limit}\\b`));
    if (code === 'INVALID_ACTION_INPUT') expect(error?.issues).not.toEqual([]);
  });

  it('is the same over HTTP', async () => {
    const long = await person.post('/calendar/events', { ...event, title: x(201) });
    expect(long).toMatchObject({ status: 400, body: { code: 'INVALID_ACTION_INPUT' } });
    expect(long.body.detail).toMatch(/\b200\b/);
    const file = await person.call('POST', '/calendar/import', x(5 * 1024 * 1024 + 1), {
      'content-type': 'text/calendar',
    });
    expect(file).toMatchObject({ status: 413, body: { code: 'LIMIT_EXCEEDED' } });
    expect(file.body.detail).toMatch(/\b5 MiB\b/);
    const large = await person.post('/contacts', { name: 'A', avatar: picture });
    expect(large).toMatchObject({ status: 413, body: { code: 'LIMIT_EXCEEDED' } });
    expect(large.body.detail).toMatch(/\b262144\b/);
  });

  it('stands in docs/LIMITS.md', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../docs/LIMITS.md'), 'utf8');
    const numbers = text.replaceAll(/(?<=\d),(?=\d{3})/g, '');
    for (const [name, , , , limit] of LIMITS) {
      const row = numbers.split('\n').find((line) => line.startsWith(`| ${name} `));
      expect(row).toMatch(new RegExp(`\\b${limit}\\b`));
    }
  });
});
