import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PEOPLE, userOf, type Person } from '../../../../test/factories/calendar.js';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { startProduct, type Product } from '../../../../test/support/product.js';

type Body = Record<string, unknown>;

/** A Monday far ahead, so that "not in the past" holds whenever this runs. */
const DAY = '2031-04-21';
const at = (time: string) => `${DAY}T${time}:00+08:00`;
const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe('busy times and free slots', () => {
  let product: Product;
  const clients = new Map<Person, ApiClient>();

  beforeAll(async () => {
    product = await startProduct();
    for (const person of PEOPLE) {
      const { email } = userOf(person);
      clients.set(person, await product.client().register({ email, timezone: 'Asia/Shanghai' }));
    }
    await create('owner', { title: 'Secret A', start_at: at('09:00'), end_at: at('10:00') });
    await create('owner', { title: 'Secret B', start_at: at('09:30'), end_at: at('11:00') });
    await create('owner', {
      title: 'Secret series',
      start_at: '2031-04-14T14:00:00+08:00',
      duration_minutes: 60,
      rrule: 'FREQ=WEEKLY;BYDAY=MO',
    });
    await create('guest', { title: 'Own', start_at: at('11:00'), end_at: at('12:00') });
  });
  afterAll(() => product.close());

  function clientOf(person: Person): ApiClient {
    const client = clients.get(person);
    if (!client) throw new Error(`${person} has no account`);
    return client;
  }

  async function create(person: Person, event: Body): Promise<string> {
    const answer = await clientOf(person).post('/calendar/events', event);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return String(answer.body.id);
  }

  const freeBusy = (person: Person, people?: string) =>
    clientOf(person).get(
      `/calendar/free-busy?${query({ start_at: at('00:00'), end_at: at('23:00'), ...(people ? { people } : {}) })}`,
    );

  const slots = (person: Person, fields: Record<string, string> = {}) =>
    clientOf(person).get(
      `/calendar/slots?${query({ duration_minutes: '60', start_at: at('00:00'), end_at: at('23:00'), ...fields })}`,
    );

  const OWNER_BUSY = [
    { startAt: at('09:00'), endAt: at('11:00') },
    { startAt: at('14:00'), endAt: at('15:00') },
  ];

  it('shows the caller when they are busy, occurrences of series too, and no title', async () => {
    const { status, body } = await freeBusy('owner');
    expect(status).toBe(200);
    expect(body).toEqual({
      people: [
        {
          email: 'owner@example.com',
          name: expect.any(String),
          status: 'success',
          busy: OWNER_BUSY,
        },
      ],
      count: 1,
      failed: 0,
      range: { from: DAY, to: DAY },
      timezone: 'Asia/Shanghai',
    });
  });

  it('reads the same about somebody unknown and somebody who shares nothing', async () => {
    const stranger = await freeBusy('guest', 'owner@example.com');
    const nobody = await freeBusy('guest', 'nobody@example.com');
    const shape = ({ status, body }: { status: number; body: Body }, email: string) =>
      JSON.stringify([status, body.code, body.detail, body.issues]).replaceAll(email, 'X');
    expect(stranger.status).toBe(404);
    expect(shape(stranger, 'owner@example.com')).toBe(shape(nobody, 'nobody@example.com'));
  });

  it('finds the earliest slots between what is there, in working hours', async () => {
    const { body } = await slots('owner', { limit: '3', work_end: '17:30' });
    expect(body).toMatchObject({
      slots: [
        { startAt: at('11:00'), endAt: at('12:00') },
        { startAt: at('12:00'), endAt: at('13:00') },
        { startAt: at('13:00'), endAt: at('14:00') },
      ],
      count: 3,
      failed: 0,
    });
    const sunday = { start_at: '2031-04-20T00:00:00+08:00', end_at: '2031-04-20T23:00:00+08:00' };
    expect((await slots('owner', sunday)).body).toMatchObject({ slots: [], count: 0 });
    expect((await slots('owner', { ...sunday, work_days: '6,7' })).body).toMatchObject({
      count: 5,
    });
  });

  it('names who could not be looked at, and answers for the others', async () => {
    const { status, body } = await slots('owner', { participants: 'guest@example.com' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      failed: 1,
      participants: [
        { email: 'owner@example.com', status: 'success' },
        { email: 'guest@example.com', status: 'failure', error: { code: 'NOT_FOUND' } },
      ],
    });
  });

  it('shows busy times to whom their owner invited, and after an acceptance both ways', async () => {
    const id = await create('owner', {
      title: 'Together',
      start_at: at('16:00'),
      end_at: at('17:00'),
      attendees: [{ email: 'guest@example.com' }],
    });
    const busy = [...OWNER_BUSY, { startAt: at('16:00'), endAt: at('17:00') }];
    expect((await freeBusy('guest', 'owner@example.com')).body).toMatchObject({
      people: [{ email: 'owner@example.com', status: 'success', busy }],
    });
    expect(JSON.stringify((await freeBusy('guest', 'owner@example.com')).body)).not.toMatch(
      /Secret|Together|evt_/,
    );
    // Being invited is not something that the guest did: it opens nothing of theirs.
    expect((await freeBusy('owner', 'guest@example.com')).status).toBe(404);
    await clientOf('guest').post(`/calendar/events/${id}/accept`, {});
    expect((await freeBusy('owner', 'guest@example.com')).body).toMatchObject({
      people: [
        {
          busy: [
            { startAt: at('11:00'), endAt: at('12:00') },
            { startAt: at('16:00'), endAt: at('17:00') },
          ],
        },
      ],
    });
    const common = await slots('owner', { participants: 'guest@example.com', limit: '20' });
    expect(common.body).toMatchObject({
      failed: 0,
      slots: [
        { startAt: at('12:00') },
        { startAt: at('13:00') },
        { startAt: at('15:00') },
        { startAt: at('17:00') },
      ],
    });
    expect((await freeBusy('stranger', 'owner@example.com')).status).toBe(404);
    const both = await freeBusy('guest', 'owner@example.com,stranger@example.com');
    expect(both.body).toMatchObject({ count: 1, failed: 1 });
    await clientOf('guest').post(`/calendar/events/${id}/reject`, {});
    expect((await freeBusy('guest', 'owner@example.com')).status).toBe(404);
    expect((await freeBusy('owner', 'guest@example.com')).status).toBe(404);
  });

  it('counts whole days, unless it is asked not to', async () => {
    await create('stranger', { title: 'Holiday', all_day: true, start_date: DAY });
    expect((await freeBusy('stranger')).body).toMatchObject({
      people: [{ busy: [{ startAt: at('00:00'), endAt: at('23:00') }] }],
    });
    expect((await slots('stranger')).body).toMatchObject({ count: 0 });
    expect((await slots('stranger', { ignore_all_day: 'true' })).body).toMatchObject({ count: 5 });
  });

  it.each<[string, Record<string, string>, string]>([
    ['a window that is too long', { end_at: '2031-08-21T00:00:00+08:00' }, 'at most 62 days'],
    [
      'working hours backwards',
      { work_start: '18:00', work_end: '09:00' },
      'must be after work_start',
    ],
    [
      'a window in the past',
      { start_at: '2020-01-01T00:00:00Z', end_at: '2020-01-02T00:00:00Z' },
      'in the future',
    ],
    ['a length that is none', { duration_minutes: 'long' }, 'duration_minutes'],
  ])('refuses %s', async (_what, fields, reason) => {
    const { status, body } = await slots('owner', fields);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(reason);
  });
});
