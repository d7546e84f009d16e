import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createCalendar,
  type Person,
  type TestCalendar,
} from '../../../test/factories/calendar.js';
import type { Permission } from './rules/access.js';

type Situation = 'owner' | 'stranger' | `${'pending' | 'accepted' | 'rejected'} ${Permission}`;

const OK = 'ok';

/** What each person gets from each method: `ok` or the code of the refusal. */
const MATRIX: Record<Situation, Record<string, string>> = {
  owner: {
    get: OK,
    listed: 'yes',
    invitation: 'yes',
    update: OK,
    attendees: OK,
    delete: OK,
    share: OK,
    accept: 'FORBIDDEN',
    reject: 'FORBIDDEN',
  },
  stranger: {
    get: 'NOT_FOUND',
    listed: 'no',
    invitation: 'no',
    update: 'NOT_FOUND',
    attendees: 'NOT_FOUND',
    delete: 'NOT_FOUND',
    share: 'NOT_FOUND',
    accept: 'NOT_FOUND',
    reject: 'NOT_FOUND',
  },
  'pending view': {
    get: OK,
    listed: 'no',
    invitation: 'yes',
    update: 'FORBIDDEN',
    attendees: 'FORBIDDEN',
    delete: 'FORBIDDEN',
    share: 'FORBIDDEN',
    accept: OK,
    reject: OK,
  },
  'pending edit': {
    get: OK,
    listed: 'no',
    invitation: 'yes',
    update: 'FORBIDDEN',
    attendees: 'FORBIDDEN',
    delete: 'FORBIDDEN',
    share: 'FORBIDDEN',
    accept: OK,
    reject: OK,
  },
  'accepted view': {
    get: OK,
    listed: 'yes',
    invitation: 'yes',
    update: 'FORBIDDEN',
    attendees: 'FORBIDDEN',
    delete: 'FORBIDDEN',
    share: 'FORBIDDEN',
    accept: OK,
    reject: OK,
  },
  'accepted edit': {
    get: OK,
    listed: 'yes',
    invitation: 'yes',
    update: OK,
    attendees: 'FORBIDDEN',
    delete: 'FORBIDDEN',
    share: 'FORBIDDEN',
    accept: OK,
    reject: OK,
  },
  'rejected view': {
    get: 'NOT_FOUND',
    listed: 'no',
    invitation: 'no',
    update: 'NOT_FOUND',
    attendees: 'NOT_FOUND',
    delete: 'NOT_FOUND',
    share: 'NOT_FOUND',
    accept: OK,
    reject: OK,
  },
  'rejected edit': {
    get: 'NOT_FOUND',
    listed: 'no',
    invitation: 'no',
    update: 'NOT_FOUND',
    attendees: 'NOT_FOUND',
    delete: 'NOT_FOUND',
    share: 'NOT_FOUND',
    accept: OK,
    reject: OK,
  },
};

describe('access to an event', () => {
  let at: TestCalendar;

  beforeAll(async () => {
    at = await createCalendar();
  });
  beforeEach(() => at.empty());
  afterAll(() => at.close());

  /** An event of the owner in the situation; returns its id and who acts. */
  async function arrange(situation: Situation): Promise<{ id: string; person: Person }> {
    const { id } = await at.add({ attendees: [{ name: 'Amy' }] });
    if (situation === 'owner' || situation === 'stranger') return { id, person: situation };
    const [status, permission] = situation.split(' ') as [string, Permission];
    await at.sharing.share(
      { event_id: id, with: [{ email: 'guest@example.com', permission }] },
      at.caller('owner'),
    );
    if (status === 'accepted' || status === 'rejected') {
      await at.sharing.answer({ event_id: id }, status, at.caller('guest'));
    }
    return { id, person: 'guest' };
  }

  async function outcome(work: () => Promise<unknown>): Promise<string> {
    try {
      await work();
      return OK;
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  }

  const isListed = async (person: Person, include_invitations: boolean): Promise<string> => {
    const page = await at.reading.read(
      { mode: 'day', date: '2026-04-21', include_invitations },
      at.caller(person),
    );
    return page.count > 0 ? 'yes' : 'no';
  };

  const METHODS: Record<string, (id: string, person: Person) => Promise<string>> = {
    get: (id, person) => outcome(() => at.reading.get(id, at.caller(person))),
    listed: (_id, person) => isListed(person, false),
    invitation: (_id, person) => isListed(person, true),
    update: (event_id, person) =>
      outcome(() => at.calendar.update({ event_id, title: 'changed' }, at.caller(person))),
    attendees: (event_id, person) =>
      outcome(() => at.calendar.update({ event_id, attendees: [] }, at.caller(person))),
    delete: (id, person) => outcome(() => at.calendar.delete({ event_id: id }, at.caller(person))),
    share: (event_id, person) =>
      outcome(() =>
        at.sharing.share(
          { event_id, with: [{ email: 'stranger@example.com' }] },
          at.caller(person),
        ),
      ),
    accept: (id, person) =>
      outcome(() => at.sharing.answer({ event_id: id }, 'accepted', at.caller(person))),
    reject: (id, person) =>
      outcome(() => at.sharing.answer({ event_id: id }, 'rejected', at.caller(person))),
  };

  const cases = Object.entries(MATRIX).flatMap(([situation, expected]) =>
    Object.entries(expected).map(([method, result]) => [situation, method, result] as const),
  );

  it.each(cases)('%s: %s is %s', async (situation, method, result) => {
    const { id, person } = await arrange(situation as Situation);
    const before = await at.dataSource.query('SELECT * FROM calendar_events');
    expect(await METHODS[method]?.(id, person)).toBe(result);
    if (result !== OK && result !== 'yes' && result !== 'no') {
      expect(await at.dataSource.query('SELECT * FROM calendar_events')).toEqual(before);
    }
  });

  it('says the same of an event of others as of one that never was', async () => {
    const { id } = await arrange('stranger');
    const errors = await Promise.all(
      [id, 'evt_01JE4Z8K3V0W7R5T9Q2M6N8P1X'].map((eventId) =>
        at.reading.get(eventId, at.caller('stranger')).catch((error: unknown) => error),
      ),
    );
    expect(errors[0]).toEqual(errors[1]);
    expect(JSON.stringify(errors[0])).not.toContain(id);
  });
});
