import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { startProduct, type Product } from '../../../../test/support/product.js';
import type { JsonObject } from '../../../common/json.js';
import { buildToolContentSummary } from '../../../tool-output/summary/tool-content-summary.js';
import * as availability from '../availability/availability.examples.js';
import * as ical from './ical.examples.js';

type Body = Record<string, unknown>;

describe('busy times and files through project_cli', () => {
  let product: Product;
  let client: ApiClient;
  let credential: string;

  beforeAll(async () => {
    product = await startProduct();
    client = await product.client().register({ timezone: 'Asia/Shanghai' });
    const { body } = await client.post('/credentials', { scope: ['calendar.*'] });
    credential = String(body.credential);
  });
  afterAll(() => product.close());

  async function call(method: string, input: unknown): Promise<Body> {
    const response = await fetch(`${product.url}/api/v1/tools/project_cli`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
      body: JSON.stringify({ module: 'calendar', method, input }),
    });
    return (await response.json()) as Body;
  }

  it('imports the documented file, once', async () => {
    const [example] = ical.IMPORT;
    expect(await call('import_ics', example?.input)).toMatchObject({
      ok: true,
      status: 'success',
      data: { created: 1, skipped: 0 },
    });
    expect(await call('import_ics', example?.input)).toMatchObject({
      data: { created: 0, unchanged: 1 },
    });
  });

  it('is partial when something was left out', async () => {
    const ics = 'BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nEND:VTODO\nEND:VCALENDAR';
    expect(await call('import_ics', { ics })).toMatchObject({
      status: 'partial',
      data: { skipped: 1, problems: [{ line: 2, reason: 'VTODO is not an event.' }] },
    });
    expect(await call('import_ics', { ics: 'hello' })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ACTION_INPUT', message: expect.stringContaining('Line 1') },
    });
  });

  it('exports the documented week', async () => {
    const exported = await call('export_ics', ical.EXPORT[1]?.input);
    expect(exported).toMatchObject({ ok: true, data: { count: 1 } });
    expect(JSON.stringify(exported)).toContain('SUMMARY:牙医');
    expect(await call('export_ics', {})).toMatchObject({
      error: { code: 'INVALID_ACTION_INPUT' },
    });
    expect(await call('export_ics', ical.EXPORT[0]?.input)).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
  });

  it('carries for people what it neither shows to a model nor takes from one', async () => {
    const event = (title: string, line: string) =>
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:carried\r\nDTSTART:20290401T070000Z\r\nSUMMARY:${title}\r\n${line}END:VEVENT\r\nEND:VCALENDAR\r\n`;
    await client.post('/calendar/import', { ics: event('One', 'X-NOTE:for phones\r\n') });
    const window = { start_at: '2029-04-01T00:00:00Z', end_at: '2029-04-02T00:00:00Z' };
    const shown = [
      await call('export_ics', window),
      await call('read', { mode: 'range', ...window }),
    ];
    expect(JSON.stringify(shown)).toContain('One');
    expect(JSON.stringify(shown)).not.toContain('for phones');
    expect(
      await call('import_ics', { ics: event('Two', 'X-NOTE:from a model\r\n') }),
    ).toMatchObject({ data: { updated: 1 } });
    const query = new URLSearchParams(window).toString();
    const exported = await (await client.raw(`/calendar/export?${query}`)).text();
    expect(exported).toContain('SUMMARY:Two\r\n');
    expect(exported).toContain('X-NOTE:for phones\r\n');
    expect(
      await call('update', { event_id: 'evt_none', preserved: { lines: ['X-A:b'] } }),
    ).toMatchObject({ error: { code: 'INVALID_ACTION_INPUT' } });
  });

  it('says when the user is busy, and that others cannot be seen', async () => {
    const { people, ...window } = availability.FREE_BUSY[0]?.input ?? {};
    expect(await call('free_busy', window)).toMatchObject({
      status: 'success',
      data: {
        people: [
          { busy: [{ startAt: '2026-04-21T15:00:00+08:00', endAt: '2026-04-21T16:00:00+08:00' }] },
        ],
      },
    });
    expect(await call('free_busy', { ...window, people })).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
    expect(
      await call('free_busy', { ...window, people: [client.email, 'amy@example.com'] }),
    ).toMatchObject({
      status: 'partial',
      data: { count: 1, failed: 1 },
    });
  });

  it('finds a slot from now on, without a window', async () => {
    expect(await call('find_slot', { duration_minutes: 30, limit: 2 })).toMatchObject({
      status: 'success',
      data: { count: 2, failed: 0 },
    });
  });

  it.each<[string, JsonObject, string, string]>([
    [
      'import_ics',
      { created: 2, updated: 1, unchanged: 0, skipped: 3 },
      '已导入日历：新增 2 条，更新 1 条，跳过 3 条',
      'Imported calendar: 2 new, 1 updated, 3 skipped',
    ],
    [
      'import_ics',
      { created: 0, updated: 0, unchanged: 0, skipped: 0 },
      '日历文件中没有日程',
      'The calendar file has no events',
    ],
    ['export_ics', { count: 1, ics: 'x' }, '已导出 1 条日程', 'Exported 1 event'],
    [
      'free_busy',
      {
        people: [{ name: '王总', email: 'w@example.com', status: 'success', busy: [{}] }],
        range: { from: '2026-04-21', to: '2026-04-21' },
      },
      '王总 有 1 段忙碌时间（2026-04-21）',
      '王总 is busy 1 time (2026-04-21)',
    ],
    [
      'find_slot',
      { slots: [{ startAt: '2026-04-21T15:00:00+08:00' }], participants: [{ status: 'failure' }] },
      '找到 1 个空闲时间，最早 2026-04-21 15:00，1 人看不到',
      'Found 1 free time, the first at 2026-04-21 15:00, 1 person not visible',
    ],
    ['find_slot', { slots: [], participants: [] }, '没有找到共同空闲的时间', 'Found no free time'],
  ])('is summed up in both languages: %s', (method, data, zh, en) => {
    const said = (locale: 'zh-CN' | 'en') =>
      buildToolContentSummary(
        'project_cli',
        { module: 'calendar', method, input: {} },
        { module: 'calendar', method, data },
        null,
        locale,
      );
    expect([said('zh-CN'), said('en')]).toEqual([zh, en]);
  });
});
