import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { compileUiHints } from '../../tool-output/a2ui/compile-ui-hints.js';
import { buildToolContentSummary } from '../../tool-output/summary/tool-content-summary.js';
import type { UiHints } from '../../tool-output/ui-hints.js';
import * as ui from './memory.ui.js';

const zh = { locale: 'zh-CN', timezone: 'Asia/Shanghai' } as const;
const en = { locale: 'en', timezone: 'America/New_York' } as const;

const card = (hints: UiHints | null): UiHints => {
  if (!hints) throw new Error('no card');
  expect(JSON.stringify(compileUiHints(hints, 'call_1'))).toContain('createSurface');
  return hints;
};

const change = (over: JsonObject = {}): JsonObject => ({
  index: 0,
  operation: 'set',
  status: 'updated',
  key: 'preference.drink',
  fact: { id: 'mem_1', key: 'preference.drink', text: '喜欢茶', source: 'user_said' },
  before: ['喜欢咖啡'],
  ...over,
});
const result = (...items: JsonObject[]): JsonObject => {
  const failed = items.filter(({ status }) => status === 'failure').length;
  return { items, count: items.length - failed, failed };
};

const REMOVED = change({ operation: 'remove', status: 'removed', fact: undefined });
const FAILED = change({
  status: 'failure',
  fact: undefined,
  before: [],
  error: { code: 'NOT_FOUND', message: 'Nothing like that is remembered.' },
});

describe('cards of the memory', () => {
  it('shows a change before and after, with a button to forget it', () => {
    const hints = card(ui.updateCard(result(change()), {}, zh));
    expect(hints).toMatchObject({
      template: 'memory.update',
      title: '已更新记忆',
      subtitle: '来自你说的话',
      tone: 'positive',
      sections: [{ fields: [{ label: 'preference.drink', value: '喜欢茶', before: '喜欢咖啡' }] }],
      actions: [
        {
          label: '忘记',
          style: 'danger',
          module: 'memory',
          method: 'forget',
          input: { fact_id: 'mem_1' },
        },
      ],
    });
  });

  it.each([
    ['remembered', 'Remembered', 'positive'],
    ['unchanged', 'Known already', 'neutral'],
  ])('says what is %s', (status, title, tone) => {
    const fact = {
      id: 'm',
      text: 'x',
      source: 'agent_inferred',
      expiresAt: '2026-05-01T00:00:00Z',
    };
    const data = result(change({ status, before: [], key: undefined, fact }));
    expect(card(ui.updateCard(data, {}, en))).toMatchObject({
      title,
      tone,
      subtitle: 'Concluded from the talk',
      sections: [
        {
          fields: [
            { label: 'Fact', value: 'x' },
            { label: 'Until', value: 'Thu 30 April 2026 20:00' },
          ],
        },
      ],
    });
  });

  it('shows what was removed, without a button', () => {
    const hints = card(ui.updateCard(result(REMOVED), {}, zh));
    expect(hints).toMatchObject({
      title: '已移除',
      sections: [{ fields: [{ value: '无', before: '喜欢咖啡' }] }],
    });
    expect(hints.actions).toBeUndefined();
  });

  it('lists several changes, each with its outcome', () => {
    const hints = card(ui.updateCard(result(change(), REMOVED, FAILED), {}, en));
    expect(hints).toMatchObject({ title: '2 facts processed, 1 failed', tone: 'warning' });
    expect(hints.sections[0]?.items).toMatchObject([
      { subtitle: 'Nothing like that is remembered.', badges: ['failed'] },
      { id: 'mem_1', title: '喜欢咖啡 → 喜欢茶', badges: ['Memory updated'], actions: [{}] },
      { title: '喜欢咖啡', badges: ['Removed'] },
    ]);
  });

  it('asks before several facts are forgotten, by a button that confirms just them', () => {
    const items = [
      { id: 'mem_1', key: 'k', text: 'a' },
      { id: 'mem_2', text: 'b' },
    ];
    const data = { forgotten: false, items, count: 2, confirm: 'abc' };
    expect(card(ui.forgetCard(data, { query: 'x' }, zh))).toMatchObject({
      title: '要忘记这 2 条记忆吗？',
      tone: 'warning',
      sections: [{ items: [{ title: 'a', subtitle: 'k' }, { title: 'b' }] }],
      actions: [{ label: '确认忘记', input: { query: 'x', confirm: 'abc' } }],
    });
    const done = { forgotten: true, items: [{ id: 'mem_1' }], count: 1 };
    const hints = card(ui.forgetCard(done, { key: 'k' }, en));
    expect(hints).toMatchObject({ title: '1 fact forgotten', sections: [] });
    expect(hints.actions).toBeUndefined();
  });

  it('has none for data that is no result', () => {
    for (const data of [null, 'text', 3, []]) {
      expect(ui.updateCard(data, {}, en)).toBeNull();
      expect(ui.forgetCard(data, {}, en)).toBeNull();
    }
    for (const data of [{}, { items: 'x' }, { items: [{}] }, { items: [{ fact: 3, before: 3 }] }]) {
      card(ui.updateCard(data, {}, en));
      card(ui.forgetCard(data, {}, zh));
    }
  });
});

describe('summaries of the memory', () => {
  it.each<[string, JsonObject, string, string]>([
    ['update', result(change()), '已更新记忆：喜欢茶', 'Updated memory: 喜欢茶'],
    ['update', result(change({ status: 'remembered' })), '已记住：喜欢茶', 'Remembered: 喜欢茶'],
    [
      'update',
      result(change({ status: 'unchanged' })),
      '早已记住：喜欢茶',
      'Known already: 喜欢茶',
    ],
    ['update', result(REMOVED), '已移除记忆：喜欢咖啡', 'Removed from memory: 喜欢咖啡'],
    ['update', result(change(), FAILED), '已处理 1 条记忆，1 条失败', 'Processed 1 fact, 1 failed'],
    ['update', result(change(), REMOVED), '已处理 2 条记忆', 'Processed 2 facts'],
    ['read', { items: [], count: 0 }, '找到 0 条记忆', 'Found 0 facts'],
    ['read', { items: [{ text: 'tea' }], count: 1 }, '找到 1 条记忆：tea', 'Found 1 fact: tea'],
    ['read', { items: [{}, {}], count: 2 }, '找到 2 条记忆', 'Found 2 facts'],
    ['forget', { forgotten: true, items: [{}], count: 1 }, '已忘记 1 条记忆', 'Forgot 1 fact'],
    [
      'forget',
      { forgotten: false, items: [{}, {}], count: 2, confirm: 'abc' },
      '待确认忘记 2 条记忆',
      '2 facts to forget, to be confirmed',
    ],
  ])('of memory.%s %j', (method, data, inChinese, inEnglish) => {
    const of = (locale: 'zh-CN' | 'en') =>
      buildToolContentSummary(
        'project_cli',
        { module: 'memory', method, input: {} },
        { module: 'memory', method, data },
        null,
        locale,
      );
    expect([of('zh-CN'), of('en')]).toEqual([inChinese, inEnglish]);
  });
});
