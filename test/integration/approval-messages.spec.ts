import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AccountCache } from '../../src/auth/account-cache.js';
import { failureSentence } from '../../src/tool-output/summary/failure-text.js';
import { WhitelistService } from '../../src/whitelist/whitelist.service.js';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

/** What a person reads before they say yes. */
describe('the message of an approval', () => {
  let product: Product;
  let person: ApiClient;
  let credential: string;

  beforeAll(async () => {
    product = await startProduct();
    person = await product.client().register({ locale: 'zh-CN', timezone: 'Asia/Shanghai' });
    const whitelist = product.app.get(WhitelistService, { strict: false });
    const { version } = await whitelist.current();
    const profiles = {
      chat: {
        allow: ['*'],
        ask: [
          'calendar.*',
          'contacts.delete',
          'contacts.update',
          'contacts.merge',
          'memory.forget',
          'help.skills',
        ],
      },
    };
    await whitelist.replace({ profiles }, version, person.userId);
    const exchanged = await person.post('/credentials', { scope: ['*'] });
    credential = String(exchanged.body.credential);
  });
  afterAll(() => product.close());

  const call = async (id: string, input: object, context?: object) => {
    const [module, method] = id.split('.');
    const answer = await person.call(
      'POST',
      '/tools/project_cli',
      { module, method, input },
      {
        authorization: `Bearer ${credential}`,
        ...(context && { 'x-project-cli-context': JSON.stringify(context) }),
      },
    );
    return answer.body as {
      status: string;
      error?: { code: string; message: string; interrupt?: { id: string } };
    };
  };
  const pending = async () =>
    (await person.get('/agent/interrupts?status=pending')).body.interrupts as { id: string }[];
  const message = async (id: string, input: object, context?: object) => {
    const { error } = await call(id, input, context);
    expect(error?.code).toBe('APPROVAL_REQUIRED');
    return (await person.get(`/agent/interrupts/${error?.interrupt?.id}`)).body.message;
  };
  const event = async (fields: object = {}) => {
    const { body } = await person.post('/calendar/events', {
      title: '项目会',
      start_at: '2027-12-02T15:00:00+08:00',
      ...fields,
    });
    return String((body as { id?: string }).id);
  };

  it('names the event that would be deleted, in the language of the person', async () => {
    const event_id = await event();
    expect(await message('calendar.delete', { event_id })).toBe(
      '是否允许删除日程：项目会（2027年12月2日 星期四 15:00–16:00）？',
    );
    expect(
      await message('calendar.share', { event_id, with: [{ email: 'amy@example.com' }] }),
    ).toBe('是否允许分享日程：项目会（2027年12月2日 星期四 15:00–16:00） → amy@example.com？');
    expect(await message('calendar.update', { event_id, title: '周会' })).toContain('→ 周会');
    const series = await event({ rrule: 'FREQ=DAILY;COUNT=5' });
    expect(await message('calendar.delete', { event_id: series })).toContain('整个系列');
  });

  it('says when an event would be, in the zone of the person, whatever offset came', async () => {
    const start_at = '2027-12-02T07:00:00Z';
    expect(await message('calendar.create', { title: '评审', start_at })).toBe(
      '是否允许创建日程：评审（2027年12月2日 星期四 15:00–16:00）？',
    );
    const event_id = await event();
    expect(
      await message('calendar.update', { event_id, start_at: '2027-12-03T09:00:00+01:00' }),
    ).toContain(' → 2027年12月3日 星期五 16:00–17:00？');
  });

  it('says it in the zone and the language of the call', async () => {
    const input = { title: 'Review', start_at: '2027-12-02T07:00:00Z' };
    const context = { locale: 'en-GB', timezone: 'America/New_York' };
    expect(await message('calendar.create', input, context)).toBe(
      'Allow the agent to create the event: Review (Thu 2 December 2027 02:00–03:00)?',
    );
  });

  it('asks nobody whose zone is none any more, and says so', async () => {
    const move = async (to: string) => {
      await product.app
        .get(DataSource, { strict: false })
        .query('UPDATE users SET timezone = $2 WHERE id = $1', [person.userId, to]);
      product.app.get(AccountCache, { strict: false }).invalidate(person.userId);
    };
    await move('Mars/Base');
    const start_at = '2027-12-02T07:00:00Z';
    const { error } = await call('calendar.create', { title: 'Elsewhere', start_at });
    await move('Asia/Shanghai');
    expect(error?.code).toBe('INVALID_ACTION_INPUT');
    expect(error?.message).toContain('time zone');
  });

  it('names contacts, facts and tasks too', async () => {
    const contact = await person.post('/contacts', { name: '王小明' });
    const { id } = contact.body as { id: string };
    expect(await message('contacts.delete', { contact_id: id })).toContain('王小明');
    const task = { title: '早报', prompt: '看今天的日程', cron: '0 8 * * *' };
    const asked = await message('scheduler.create', task);
    expect(asked).toMatch(/早报.*08:00.*0 8 \* \* \*.*Asia\/Shanghai.*看今天的日程/);
  });

  it('says what would change in a contact, and who would be merged into whom', async () => {
    const add = async (name: string) =>
      ((await person.post('/contacts', { name })).body as { id: string }).id;
    const [contact_id, other] = [await add('李雷'), await add('小李')];
    const update = {
      contact_id,
      organization: 'ACME',
      notes: '',
      add: { emails: ['li@acme.com'] },
    };
    expect(await message('contacts.update', update)).toContain(
      '李雷 → 单位 ACME、备注 （清空）、邮箱 + li@acme.com',
    );
    const english = { locale: 'en' };
    const lists = { contact_id, groups: [], remove: { phones: ['138'] }, title: 'x'.repeat(200) };
    expect(await message('contacts.update', lists, english)).toMatch(
      /李雷 → job title x{50,59}…, group \(removed\), phone − 138\?/,
    );
    expect(await message('contacts.merge', { contact_id, other_ids: [other] })).toContain(
      '李雷 ← 小李',
    );
  });

  it('asks nobody for what cannot succeed', async () => {
    const before = await pending();
    const cases: [string, object, string][] = [
      ['calendar.delete', { event_id: 'evt_01JE0000000000000000000000' }, 'NOT_FOUND'],
      ['contacts.delete', { contact_id: 'ctc_01JE0000000000000000000000' }, 'NOT_FOUND'],
      [
        'contacts.merge',
        {
          contact_id: 'ctc_01JE0000000000000000000000',
          other_ids: ['ctc_01JE0000000000000000000001'],
        },
        'NOT_FOUND',
      ],
      ['memory.forget', { key: 'no_such_key' }, 'NOT_FOUND'],
      [
        'scheduler.create',
        { title: 'T', prompt: 'P', rrule: 'FREQ=SECONDLY' },
        'INVALID_ACTION_INPUT',
      ],
    ];
    for (const [id, input, code] of cases) {
      expect({ id, code: (await call(id, input)).error?.code }).toEqual({ id, code });
    }
    const stranger = await product.client().register();
    const foreign = await stranger.post('/calendar/events', {
      title: 'Secret',
      start_at: '2027-12-02T15:00:00Z',
    });
    const { id } = foreign.body as { id: string };
    expect((await call('calendar.delete', { event_id: id })).error?.code).toBe('NOT_FOUND');
    expect(await pending()).toEqual(before);
  });

  it('tells an agent how it goes on, and a refused one the reason alone', async () => {
    const event_id = await event();
    const { error } = await call('calendar.delete', { event_id });
    expect(error?.message).toContain(`POST /agent/interrupts/${error?.interrupt?.id}/resolve`);
    expect(error?.message).toContain('same call again');
    await person.post(`/agent/interrupts/${error?.interrupt?.id}/resolve`, {
      status: 'resolved',
      payload: { approved: false, reason: '不要删' },
    });
    const refused = await call('calendar.delete', { event_id });
    expect(refused.error).toMatchObject({ code: 'APPROVAL_DENIED', message: '不要删' });
    expect(failureSentence(refused.error ?? '', 'calendar.delete', '', 'zh-CN')).toBe(
      '删除日程失败：未获批准：不要删',
    );
  });
});
