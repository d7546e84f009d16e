import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createCalendar, type TestCalendar } from '../../../test/factories/calendar.js';

describe('CalendarInvitationsService', () => {
  let at: TestCalendar;

  beforeAll(async () => {
    at = await createCalendar();
  });
  beforeEach(() => at.empty());
  afterAll(() => at.close());

  const share = (event_id: string, ...targets: { email: string; permission?: 'view' | 'edit' }[]) =>
    at.sharing.share({ event_id, with: targets }, at.caller('owner'));
  const guestsView = (id: string) => at.reading.get(id, at.caller('guest'));

  it('invites users and says who is none', async () => {
    const { id } = await at.add();
    const shared = await share(
      id,
      { email: 'Guest@Example.com', permission: 'edit' },
      { email: 'nobody@example.com' },
      { email: 'owner@example.com' },
    );
    expect(shared).toMatchObject({
      id,
      title: 'Project sync',
      count: 1,
      failed: 2,
      targets: [
        { email: 'guest@example.com', name: 'guest', status: 'invited', permission: 'edit' },
        { email: 'nobody@example.com', status: 'failed', error: { code: 'NOT_FOUND' } },
        { email: 'owner@example.com', status: 'failed', error: { code: 'INVALID_ACTION_INPUT' } },
      ],
    });
    expect(await guestsView(id)).toMatchObject({ myStatus: 'pending', role: 'viewer' });
  });

  it('fails when nobody could be invited', async () => {
    const { id } = await at.add();
    await expect(share(id, { email: 'nobody@example.com' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { issues: [{ path: 'with.0' }] },
    });
  });

  it('keeps the answer when the permission changes, and asks again after a rejection', async () => {
    const { id } = await at.add();
    await share(id, { email: 'guest@example.com' });
    await at.sharing.answer({ event_id: id }, 'accepted', at.caller('guest'));
    const again = await share(id, { email: 'guest@example.com' });
    expect(again.targets).toMatchObject([{ status: 'unchanged', permission: 'view' }]);
    const raised = await share(id, { email: 'guest@example.com', permission: 'edit' });
    expect(raised.targets).toMatchObject([{ status: 'updated', permission: 'edit' }]);
    expect(await guestsView(id)).toMatchObject({ myStatus: 'accepted', role: 'editor' });

    await at.sharing.answer({ event_id: id }, 'rejected', at.caller('guest'));
    const asked = await share(id, { email: 'guest@example.com' });
    expect(asked.targets).toMatchObject([{ status: 'invited', permission: 'edit' }]);
    expect(await guestsView(id)).toMatchObject({ myStatus: 'pending', role: 'viewer' });
  });

  it('takes an answer twice, and another one later', async () => {
    const { id } = await at.add({ attendees: [{ email: 'guest@example.com' }] });
    const guest = at.caller('guest');
    const first = await at.sharing.answer({ event_id: id }, 'accepted', guest);
    at.clock.time = new Date('2026-04-20T10:00:00Z');
    const second = await at.sharing.answer({ event_id: id }, 'accepted', guest);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ id, title: 'Project sync', status: 'accepted' });
    await at.sharing.answer({ event_id: id }, 'rejected', guest);
    expect(await at.sharing.answer({ event_id: id }, 'accepted', guest)).toMatchObject({
      status: 'accepted',
    });
    expect((await guestsView(id)).version).toBe(1);
  });

  it('invites once when two share at the same time', async () => {
    const { id } = await at.add();
    await Promise.all(Array.from({ length: 4 }, () => share(id, { email: 'guest@example.com' })));
    expect((await guestsView(id)).attendees).toHaveLength(1);
  });

  it('turns a listed address into an invitation when it is shared', async () => {
    const { id } = await at.add({ attendees: [{ name: 'Amy', email: 'guest@example.com' }] });
    await at.dataSource.query(
      `UPDATE calendar_attendees SET user_id = NULL, status = 'listed', invited_at = NULL`,
    );
    await share(id, { email: 'guest@example.com' });
    expect((await guestsView(id)).attendees).toMatchObject([
      { name: 'Amy', email: 'guest@example.com', status: 'pending' },
    ]);
  });

  it('pages through the invitations that wait for an answer', async () => {
    for (let n = 0; n < 5; n += 1) {
      at.clock.time = new Date(Date.UTC(2026, 3, 20, n < 3 ? 8 : 9));
      await at.add({ title: `e${n}`, attendees: [{ email: 'guest@example.com' }] });
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await at.reading.invitations(
        { limit: 2, ...(cursor ? { cursor } : {}) },
        at.caller('guest'),
      );
      seen.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
    expect(await at.reading.invitations({}, at.caller('owner'))).toEqual({ items: [], count: 0 });
  });

  it('has room for a hundred attendees', async () => {
    const names = Array.from({ length: 100 }, (_, n) => ({ name: `n${n}` }));
    const { id } = await at.add({ attendees: names });
    await expect(share(id, { email: 'guest@example.com' })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });
});
