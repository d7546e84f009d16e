import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { compileUiHints } from '../../tool-output/a2ui/compile-ui-hints.js';
import { buildToolContentSummary } from '../../tool-output/summary/tool-content-summary.js';
import { readCard } from './contacts.ui.js';

const ZH = { locale: 'zh-CN', timezone: 'Asia/Shanghai' } as const;
const EN = { locale: 'en', timezone: 'Asia/Shanghai' } as const;

const AMY: JsonObject = {
  id: 'con_1',
  name: 'Amy Chen',
  title: 'Engineer',
  organization: 'Acme',
  aliases: ['小艾'],
  emails: [{ value: 'amy@example.com', label: 'work' }],
  phones: [{ value: '138 0013 8000', e164: '+8613800138000', label: 'cell' }],
  addresses: [{ street: '示例路 1 号', city: '上海' }],
  urls: [],
  groups: ['vip'],
  birthday: '--04-15',
  notes: '喜欢喝茶',
  user: { id: 'usr_1', email: 'amy@example.com', name: 'Amy' },
};
const BOB: JsonObject = {
  id: 'con_2',
  name: 'Bob',
  emails: [],
  phones: [],
  groups: [],
  aliases: [],
};

describe('cards of contacts.read', () => {
  it('shows one contact with its facts', () => {
    const hints = readCard(
      { items: [AMY], count: 1 },
      { mode: 'contact', contact_id: 'con_1' },
      ZH,
    );
    expect(hints).toMatchObject({
      template: 'contacts.read',
      title: 'Amy Chen',
      actions: [{ module: 'contacts', method: 'delete', input: { contact_id: 'con_1' } }],
    });
    expect(hints?.sections[0]?.fields).toEqual([
      { label: '单位', value: 'Engineer · Acme' },
      { label: '别名', value: '小艾' },
      { label: '电话 · 手机', value: '138 0013 8000' },
      { label: '邮箱 · 工作', value: 'amy@example.com' },
      { label: '地址', value: '示例路 1 号, 上海' },
      { label: '生日', value: '4月15日' },
      { label: '分组', value: 'vip' },
      { label: '系统用户', value: 'Amy' },
      { label: '备注', value: '喜欢喝茶' },
    ]);
  });

  it('gives each candidate a button that says who was meant', () => {
    const data = { items: [], count: 0, ambiguous: true, candidates: [AMY, BOB] };
    const hints = readCard(data, { mode: 'resolve', query: 'A' }, EN);
    expect(hints).toMatchObject({
      title: 'Who is “A”?',
      subtitle: '2 contacts fit',
      tone: 'warning',
    });
    expect(hints?.sections[0]?.items).toMatchObject([
      {
        title: 'Amy Chen',
        subtitle: 'Engineer · Acme · amy@example.com · 138 0013 8000',
        badges: ['user here', 'vip'],
        actions: [{ label: 'This one', input: { mode: 'contact', contact_id: 'con_1' } }],
      },
      { title: 'Bob', actions: [{ method: 'read', input: { contact_id: 'con_2' } }] },
    ]);
  });

  it('lists, goes on, and says when there is nothing', () => {
    const input = { mode: 'search', query: 'a' };
    const hints = readCard({ items: [AMY, BOB], count: 2, nextCursor: 'x' }, input, EN);
    expect(hints).toMatchObject({
      subtitle: 'Search for “a”',
      actions: [{ input: { ...input, cursor: 'x' } }],
    });
    expect(readCard({ items: [], count: 0 }, input, ZH)).toMatchObject({
      sections: [],
      emptyText: '没有找到与“a”相符的联系人。',
    });
    expect(
      readCard({ items: [], count: 0, ambiguous: false }, { mode: 'resolve', query: 'q' }, EN),
    ).toMatchObject({
      emptyText: 'No contact matches “q”.',
    });
  });

  it('offers to merge duplicates', () => {
    const data = { groups: [{ contacts: [AMY, BOB], reasons: ['email'] }], count: 1 };
    expect(readCard(data, { mode: 'duplicates' }, ZH)).toMatchObject({
      sections: [
        {
          heading: '邮箱相同',
          items: [
            {
              actions: [{ method: 'merge', input: { contact_id: 'con_1', other_ids: ['con_2'] } }],
            },
            {},
          ],
        },
      ],
    });
  });

  it('compiles, whatever the data', () => {
    for (const data of [
      {},
      { items: [null, 5, {}] },
      { ambiguous: true },
      { groups: [{}] },
      { items: [AMY] },
    ]) {
      for (const mode of ['list', 'contact', 'resolve', 'duplicates']) {
        const hints = readCard(data, { mode }, ZH);
        if (!hints) throw new Error('no card');
        expect(compileUiHints(hints, 's').length).toBeGreaterThan(0);
      }
    }
    expect(readCard('text', {}, ZH)).toBeNull();
  });
});

describe('summaries of contacts', () => {
  const sentence = (method: string, data: JsonObject, input: JsonObject, locale: 'zh-CN' | 'en') =>
    buildToolContentSummary(
      'project_cli',
      { module: 'contacts', method, input },
      { module: 'contacts', method, data },
      null,
      locale,
    );

  it.each<[string, JsonObject, JsonObject, string, string]>([
    [
      'read',
      { items: [AMY], count: 1, ambiguous: false },
      { mode: 'resolve' },
      '已匹配用户：Amy Chen',
      'Matched user: Amy Chen',
    ],
    ['read', { items: [], count: 0, ambiguous: false }, {}, '没有找到联系人', 'Found no contacts'],
    ['read', { items: [AMY, BOB], count: 2 }, {}, '找到 2 位联系人', 'Found 2 contacts'],
    [
      'read',
      { items: [], count: 0, ambiguous: true, candidates: [AMY, BOB] },
      {},
      '有 2 位联系人可能符合，需要确认：Amy Chen、Bob',
      '2 contacts may be meant, please choose: Amy Chen, Bob',
    ],
    [
      'read',
      { groups: [{}], count: 1 },
      {},
      '发现 1 组可能重复的联系人',
      'Found 1 group of possible duplicates',
    ],
    ['create', AMY, {}, '已创建联系人：Amy Chen', 'Created contact: Amy Chen'],
    ['update', AMY, {}, '已更新联系人：Amy Chen', 'Updated contact: Amy Chen'],
    ['delete', { id: 'con_1', name: 'Amy' }, {}, '已删除联系人：Amy', 'Deleted contact: Amy'],
    [
      'merge',
      { ...AMY, merged: [{}] },
      {},
      '已合并 1 位联系人到：Amy Chen',
      'Merged 1 contact into: Amy Chen',
    ],
    [
      'import',
      { created: 2, updated: 1, skipped: [] },
      {},
      '已导入 2 位新联系人，更新 1 位',
      'Imported 2 new contacts, updated 1',
    ],
    ['export', { vcard: '', count: 3 }, {}, '已导出 3 位联系人', 'Exported 3 contacts'],
  ])('says of %s', (method, data, input, zh, en) => {
    expect([sentence(method, data, input, 'zh-CN'), sentence(method, data, input, 'en')]).toEqual([
      zh,
      en,
    ]);
  });
});
