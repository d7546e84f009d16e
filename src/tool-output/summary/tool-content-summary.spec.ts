import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../common/json.js';
import { ERROR_CODES } from '../../common/error-codes.js';
import { SUMMARY_RULES } from './rules.js';
import { SUMMARY_VERSION, buildToolContentSummary } from './tool-content-summary.js';

function summary(id: string, data: JsonValue, input: JsonObject = {}) {
  const [module = '', method = ''] = id.split('.');
  return (['zh-CN', 'en'] as const).map((locale) =>
    buildToolContentSummary(
      'project_cli',
      { module, method, input },
      { module, method, data },
      null,
      locale,
    ),
  );
}

describe('buildToolContentSummary', () => {
  const from = '2026-04-21T00:00:00+08:00';

  it.each<[string, JsonValue, JsonObject, string, string]>([
    [
      'calendar.create',
      { id: 'evt_1', title: '项目会', startAt: '2026-04-21T15:00:00+08:00' },
      {},
      '已创建日程：项目会（2026-04-21 15:00）',
      'Created event: 项目会 (2026-04-21 15:00)',
    ],
    [
      'calendar.create',
      { title: 'Trip', startAt: from, allDay: true },
      {},
      '已创建日程：Trip（2026-04-21）',
      'Created event: Trip (2026-04-21)',
    ],
    ['calendar.create', { id: 'evt_1' }, {}, '已创建日程', 'Created event'],
    [
      'calendar.create',
      {
        items: [
          { status: 'success', id: 'e' },
          { status: 'failure', error: { code: 'CONFLICT' } },
        ],
        count: 2,
        failed: 1,
      },
      {},
      '已创建 1 条日程，1 条失败',
      'Created 1 event, 1 failed',
    ],
    [
      'calendar.read',
      { items: [], count: 0, range: { from: '2026-04-21', to: '2026-04-21' } },
      {},
      '查询到 0 条日程（2026-04-21）',
      'Found 0 events (2026-04-21)',
    ],
    [
      'calendar.read',
      {
        items: [{ title: 'A' }, { title: 'B' }],
        count: 2,
        range: { from, to: '2026-04-28T00:00:00+08:00' },
      },
      {},
      '查询到 2 条日程（2026-04-21 至 2026-04-27）',
      'Found 2 events (2026-04-21 to 2026-04-27)',
    ],
    [
      'calendar.read',
      {
        items: [{ title: 'A' }],
        count: 1,
        range: { from: '2026-04-21T09:00:00+08:00', to: '2026-04-21T12:00:00+08:00' },
      },
      {},
      '查询到 1 条日程（2026-04-21 09:00-12:00）',
      'Found 1 event (2026-04-21 09:00-12:00)',
    ],
    [
      'calendar.read',
      { items: [{ title: 'A' }], count: 1 },
      {},
      '查询到 1 条日程：A',
      'Found 1 event: A',
    ],
    [
      'calendar.read',
      { count: 3 },
      { mode: 'day', date: '2026-04-21' },
      '查询到 3 条日程（2026-04-21）',
      'Found 3 events (2026-04-21)',
    ],
    [
      'calendar.update',
      { id: 'evt_1', title: 'Sync', changes: {} },
      {},
      '已更新日程：Sync',
      'Updated event: Sync',
    ],
    [
      'calendar.delete',
      { id: 'evt_1', title: 'Sync', deleted: true },
      {},
      '已删除日程：Sync',
      'Deleted event: Sync',
    ],
    [
      'calendar.delete',
      { id: 'evt_1', deleted: true },
      {},
      '已删除日程：evt_1',
      'Deleted event: evt_1',
    ],
    [
      'calendar.share',
      { id: 'e', title: 'S', targets: [{ email: 'amy@x.org', name: 'Amy', status: 'pending' }] },
      {},
      '已分享日程给 Amy',
      'Shared event with Amy',
    ],
    [
      'calendar.share',
      { targets: ['a', 'b', 'c', 'd', 'e'].map((email) => ({ email })) },
      {},
      '已分享日程给 a、b、c 等 5 人',
      'Shared event with a, b, c and 2 more',
    ],
    ['calendar.share', { id: 'e', title: 'S' }, {}, '已分享日程：S', 'Shared event: S'],
    [
      'calendar.share',
      {
        title: 'S',
        targets: [
          { email: 'a@x.org', name: 'Amy', status: 'invited' },
          { email: 'b@x.org', status: 'failed' },
        ],
      },
      {},
      '已分享日程给 Amy，1 人失败',
      'Shared event with Amy, 1 failed',
    ],
    [
      'calendar.share',
      { title: 'S', targets: [{ email: 'b@x.org', status: 'failed' }] },
      {},
      '分享日程失败：1 人',
      'Could not share the event with 1 person',
    ],
    [
      'calendar.accept_invite',
      { title: 'S', status: 'accepted' },
      {},
      '已接受邀请：S',
      'Accepted invitation: S',
    ],
    [
      'calendar.reject_invite',
      { id: 'evt_1' },
      {},
      '已拒绝邀请：evt_1',
      'Declined invitation: evt_1',
    ],
    [
      'contacts.read',
      { items: [{ name: 'Amy', id: 'c1' }], count: 1 },
      {},
      '已匹配用户：Amy',
      'Matched user: Amy',
    ],
    ['contacts.read', { items: [], count: 0 }, {}, '没有找到联系人', 'Found no contacts'],
    [
      'contacts.read',
      { items: [{ id: '1' }, { id: '2' }] },
      {},
      '找到 2 位联系人',
      'Found 2 contacts',
    ],
    [
      'memory.update',
      { id: 'm1' },
      { key: 'seat', value: 'aisle' },
      '已更新记忆：seat',
      'Updated memory: seat',
    ],
    ['notes.read', { content: 'two\n\n  lines' }, {}, 'two lines', 'two lines'],
    ['notes.read', { title: 'Hello' }, {}, 'notes.read：Hello', 'notes.read: Hello'],
    ['notes.read', [1, 2], {}, 'notes.read：共 2 项', 'notes.read: 2 items'],
    ['notes.read', { x: { y: 1 } }, {}, 'project_cli 执行完成', 'project_cli finished'],
    ['notes.read', null, {}, 'project_cli 执行完成', 'project_cli finished'],
  ])('%s of %j with %j', (id, data, input, zh, en) => {
    expect(summary(id, data, input)).toEqual([zh, en]);
  });

  it.each<[string, JsonObject, JsonValue, string]>([
    [
      'calendar_write',
      { title: '会', start_time: '2026-04-21 15:00' },
      {},
      '已创建日程：会（2026-04-21 15:00）',
    ],
    ['calendar_read', {}, { count: 2, date_range: '本周' }, '查询到 2 条日程（本周）'],
    ['calendar_delete', { event_id: 'evt_9' }, null, '已删除日程：evt_9'],
    ['calendar_share', { target: 'Amy' }, { ok: true }, '已分享日程给 Amy'],
    ['user_resolve', { query: 'a' }, { id: 'usr_1' }, '已匹配用户：usr_1'],
    ['weather', {}, {}, 'weather 执行完成'],
    ['weather', {}, '晴', '晴'],
  ])('speaks for the older tool %s', (name, args, result, text) => {
    expect(buildToolContentSummary(name, args, result, null, 'zh-CN')).toBe(text);
  });

  it('puts the error first', () => {
    const args = { module: 'calendar', method: 'delete', input: {} };
    const error = { code: 'NOT_FOUND', message: 'No event evt_1.' };
    const build = (locale: 'zh-CN' | 'en') =>
      buildToolContentSummary('project_cli', args, { title: 'x' }, error, locale);
    expect(build('zh-CN')).toBe('删除日程失败：未找到');
    expect(build('en')).toBe('Could not delete the event: No event evt_1.');
    expect(buildToolContentSummary('weather', {}, null, 'boom\n at x', 'zh-CN')).toBe(
      'weather 执行失败：boom at x',
    );
    expect(buildToolContentSummary('weather', {}, null, {}, 'zh-CN')).toBe('weather 执行失败');
    expect(buildToolContentSummary('weather', {}, null, { code: 'TIMEOUT' }, 'en')).toBe(
      'weather failed: it took too long',
    );
  });

  it('says a message in Chinese to a Chinese reader, and no English one beside the reason', () => {
    const args = { module: 'calendar', method: 'share', input: {} };
    const build = (message: string) =>
      buildToolContentSummary('project_cli', args, null, { code: 'NOT_FOUND', message }, 'zh-CN');
    expect(build('No user has this address.')).toBe('分享日程失败：未找到');
    expect(build('没有这个用户。')).toBe('分享日程失败：未找到：没有这个用户。');
  });

  it.each([{ module: '', method: '' }, { module: 'calendar', method: ' ' }, {}])(
    'names the tool when the call %j names no method',
    (args) => {
      const error = { code: 'INVALID_TOOL_CALL', message: 'It has no module.' };
      const build = (locale: 'zh-CN' | 'en') =>
        buildToolContentSummary('project_cli', args, null, error, locale);
      expect(build('zh-CN')).toBe('project_cli 执行失败：调用格式不正确');
      expect(build('en')).toBe('project_cli failed: It has no module.');
    },
  );

  it('prefers the template of the method, and survives one that throws', () => {
    const args = { module: 'notes', method: 'read', input: {} };
    const result = { module: 'notes', method: 'read', data: { title: 'T' } };
    const build = (template: () => string | null) =>
      buildToolContentSummary('project_cli', args, result, null, 'en', template);
    expect(build(() => 'from the template')).toBe('from the template');
    expect(build(() => null)).toBe('notes.read: T');
    expect(build(() => '{"a":1}')).toBe('notes.read: T');
    expect(
      build(() => {
        throw new Error('broken');
      }),
    ).toBe('notes.read: T');
  });

  it('cuts without splitting a grapheme', () => {
    const family = '👨‍👩‍👧‍👦';
    const [zh = ''] = summary('notes.read', { content: family.repeat(60) });
    expect(zh.length).toBeLessThanOrEqual(120);
    expect(zh.endsWith('…')).toBe(true);
    expect(zh.slice(0, -1)).toBe(family.repeat((zh.length - 1) / family.length));
  });

  it('never shows JSON that stands in a text', () => {
    expect(summary('notes.read', { content: '{"a":1}', title: 'T' })[1]).toBe('notes.read: T');
    expect(summary('notes.read', { content: 'got {"a": {"b": 1}} back' })[1]).toBe('got');
    expect(summary('notes.read', { content: `[{"a":"${'x'.repeat(500)}"}` })[1]).toBe(
      'project_cli finished',
    );
  });

  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.json(),
    fc.constantFrom('\u0000\u0007', '\u202eevil', '\ud800', '', '\u200b', 'a\r\nb', '[{', 'x {"'),
  );

  it('is one clean line of at most 120 characters for whatever it is given', () => {
    const id = fc.constantFrom(...Object.keys(SUMMARY_RULES), 'x.y', '__proto__.toString');
    const data = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom(
          'title',
          'content',
          'name',
          'startAt',
          'items',
          'count',
          'targets',
          'range',
          'id',
        ),
        fc.oneof(
          anyText,
          fc.jsonValue(),
          fc.array(fc.dictionary(fc.constantFrom('title', 'name', 'email', 'error'), anyText)),
        ),
      ),
    );
    const error = fc.option(
      fc.record({ code: fc.constantFrom(...Object.keys(ERROR_CODES), 'X'), message: anyText }),
      { freq: 4 },
    );
    fc.assert(
      fc.property(
        id,
        data,
        error,
        fc.constantFrom('zh-CN' as const, 'en' as const),
        (capability, value, fault, locale) => {
          const [module = '', method = ''] = capability.split('.');
          const json: JsonValue = JSON.parse(JSON.stringify(value)) as JsonValue;
          const args = { module, method, input: {} };
          const text = buildToolContentSummary(
            'project_cli',
            args,
            { module, method, data: json },
            fault,
            locale,
          );
          expect(text.length).toBeGreaterThan(0);
          expect(text.length).toBeLessThanOrEqual(120);
          expect(text).not.toMatch(
            /[\p{Cc}\p{Surrogate}\u2028\u2029\u200b\u200e\u202e]|\s\s|\{\s*"|\[\s*[{"]/u,
          );
          expect(text).toBe(text.trim());
          expect(
            buildToolContentSummary(
              'project_cli',
              args,
              { module, method, data: json },
              fault,
              locale,
            ),
          ).toBe(text);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('has a version', () => {
    expect(Number.isInteger(SUMMARY_VERSION)).toBe(true);
  });
});
