import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import type { UiHints } from '../../tool-output/ui-hints.js';
import * as ui from './calendar.ui.js';

const zh = { locale: 'zh-CN', timezone: 'Asia/Shanghai' } as const;
const en = { locale: 'en', timezone: 'America/New_York' } as const;

const event = (over: JsonObject = {}): JsonObject => ({
  id: 'evt_1',
  title: '项目会',
  allDay: false,
  startAt: '2026-04-21T15:00:00+08:00',
  endAt: '2026-04-21T16:00:00+08:00',
  timezone: 'Asia/Shanghai',
  location: '三楼',
  organizer: { name: 'Olga', email: 'olga@example.com' },
  attendees: [
    { name: 'Amy', status: 'accepted' },
    { email: 'bo@example.com', status: 'pending' },
    { name: 'Cy', status: 'listed' },
  ],
  role: 'owner',
  myStatus: 'owner',
  version: 1,
  ...over,
});

const card = (hints: UiHints | null): UiHints => {
  if (!hints) throw new Error('no card');
  return hints;
};
const buttons = (hints: UiHints) => hints.actions?.map(({ label, method }) => [label, method]);

describe('cards of the calendar', () => {
  it('shows a created event in the locale and zone of the reader', () => {
    const hints = card(ui.createCard(event(), {}, zh));
    expect(hints).toMatchObject({
      version: 1,
      template: 'calendar.create',
      locale: 'zh-CN',
      timezone: 'Asia/Shanghai',
      title: '项目会',
      subtitle: '已创建日程',
      tone: 'positive',
      sections: [
        {
          fields: [
            { label: '时间', value: '2026年4月21日 星期二 15:00–16:00' },
            { label: '地点', value: '三楼' },
            { label: '参与者', value: 'Amy（已接受）、bo@example.com（待回复）、Cy' },
          ],
        },
      ],
    });
    expect(buttons(hints)).toEqual([
      ['查看', 'read'],
      ['删除', 'delete'],
    ]);
    expect(hints.actions?.[1]?.input).toEqual({ event_id: 'evt_1' });
    const english = card(ui.createCard(event(), {}, en));
    expect(english.sections[0]?.fields?.[0]).toEqual({
      label: 'When',
      value: 'Tue 21 April 2026 03:00–04:00',
    });
  });

  it.each<[string, JsonObject, string]>([
    [
      'over midnight',
      { endAt: '2026-04-22T01:00:00+08:00' },
      '2026年4月21日 星期二 15:00 – 2026年4月22日 星期三 01:00',
    ],
    ['until midnight', { endAt: '2026-04-22T00:00:00+08:00' }, '2026年4月21日 星期二 15:00–24:00'],
    [
      'a whole day',
      { startAt: undefined, endAt: undefined, startDate: '2026-04-21', endDate: '2026-04-21' },
      '2026年4月21日 星期二 全天',
    ],
    [
      'whole days',
      { startAt: undefined, endAt: undefined, startDate: '2026-04-21', endDate: '2026-04-23' },
      '2026年4月21日 星期二 – 2026年4月23日 星期四 全天',
    ],
  ])('writes %s', (_name, over, value) => {
    const hints = card(ui.deleteCard(event(over), {}, zh));
    expect(hints.sections[0]?.fields?.[0]).toEqual({ label: '时间', value });
  });

  it('groups an agenda by day, and offers to answer invitations', () => {
    const data = {
      items: [
        event({
          id: 'evt_0',
          title: 'trip',
          startAt: undefined,
          endAt: undefined,
          startDate: '2026-04-19',
          endDate: '2026-04-21',
        }),
        event(),
        event({
          id: 'evt_2',
          startAt: '2026-04-22T09:00:00+08:00',
          endAt: '2026-04-22T09:30:00+08:00',
          myStatus: 'pending',
          role: 'viewer',
        }),
      ],
      count: 3,
      range: { from: '2026-04-20', to: '2026-04-26' },
      timezone: 'Asia/Shanghai',
      nextCursor: 'abc',
    };
    const input = { mode: 'range', limit: 3 };
    const hints = card(ui.readCard(data, input, zh));
    expect(hints.subtitle).toBe('2026年4月20日 星期一 – 2026年4月26日 星期日');
    expect(hints.sections.map(({ heading }) => heading)).toEqual([
      '2026年4月20日 星期一',
      '2026年4月21日 星期二',
      '2026年4月22日 星期三',
    ]);
    expect(hints.sections[0]?.items?.[0]?.subtitle).toBe('全天 – 2026年4月21日 星期二 · 三楼');
    expect(hints.sections[1]?.items?.[0]).toMatchObject({
      title: '项目会',
      subtitle: '15:00–16:00 · 三楼',
      actions: [{ method: 'read', input: { mode: 'event', event_id: 'evt_1' } }],
    });
    expect(hints.sections[2]?.items?.[0]).toMatchObject({
      badges: ['待回复邀请'],
      subtitle: '09:00–09:30 · 三楼 · Olga 邀请你',
      actions: [
        { label: '接受', method: 'accept_invite', input: { event_id: 'evt_2' } },
        { label: '拒绝', method: 'reject_invite', input: { event_id: 'evt_2' } },
      ],
    });
    expect(hints.actions).toMatchObject([
      { method: 'read', input: { mode: 'range', limit: 3, cursor: 'abc' } },
    ]);
  });

  it('takes the days of the zone that was read', () => {
    const data = {
      items: [event()],
      count: 1,
      range: { from: '2026-04-21', to: '2026-04-21' },
      timezone: 'Asia/Tokyo',
    };
    const hints = card(ui.readCard(data, { mode: 'day' }, en));
    expect(hints.timezone).toBe('Asia/Tokyo');
    expect(hints.subtitle).toBe('Tue 21 April 2026 · Asia/Tokyo');
    expect(hints.sections).toMatchObject([{ items: [{ subtitle: '16:00–17:00 · 三楼' }] }]);
    expect(hints.sections[0]).not.toHaveProperty('heading');
  });

  it('says when nothing is there', () => {
    const data = { items: [], count: 0, range: { from: '2026-04-21', to: '2026-04-21' } };
    expect(ui.readCard(data, { mode: 'day' }, zh)).toMatchObject({
      sections: [],
      emptyText: '这段时间没有日程。',
    });
    expect(ui.readCard(data, { mode: 'day', query: 'x' }, en)).toMatchObject({
      emptyText: 'No event matches.',
    });
  });

  it.each<[string, string, string[]]>([
    ['owner', 'owner', ['delete']],
    ['pending', 'viewer', ['accept_invite', 'reject_invite']],
    ['accepted', 'editor', ['reject_invite']],
    ['rejected', 'viewer', ['accept_invite']],
  ])('offers to the %s what they may do', (myStatus, role, methods) => {
    const hints = card(
      ui.readCard({ items: [event({ myStatus, role })], count: 1 }, { mode: 'event' }, en),
    );
    expect(hints.actions?.map(({ method }) => method)).toEqual(methods);
  });

  it('shows a change before and after', () => {
    const data = {
      ...event({ startAt: '2026-04-21T16:00:00+08:00', endAt: '2026-04-21T17:00:00+08:00' }),
      changes: [
        {
          field: 'startAt',
          before: '2026-04-21T15:00:00+08:00',
          after: '2026-04-21T16:00:00+08:00',
        },
        { field: 'endAt', before: '2026-04-21T16:00:00+08:00', after: '2026-04-21T17:00:00+08:00' },
        { field: 'location', after: '三楼' },
      ],
    };
    expect(card(ui.updateCard(data, {}, zh)).sections[0]?.fields).toEqual([
      {
        label: '时间',
        value: '16:00–17:00',
        before: '2026年4月21日 星期二 15:00–16:00',
      },
      { label: '地点', value: '三楼', before: '无' },
    ]);
    expect(ui.updateCard({ ...event(), changes: [] }, {}, zh)).toMatchObject({
      subtitle: '日程没有变化',
      tone: 'neutral',
    });
  });

  it('shows a change from a time to whole days', () => {
    const data = {
      ...event({
        startAt: undefined,
        endAt: undefined,
        startDate: '2026-04-21',
        endDate: '2026-04-21',
      }),
      changes: [
        { field: 'startAt', before: '2026-04-21T15:00:00+08:00' },
        { field: 'endAt', before: '2026-04-21T16:00:00+08:00' },
        { field: 'startDate', after: '2026-04-21' },
        { field: 'endDate', after: '2026-04-21' },
      ],
    };
    expect(card(ui.updateCard(data, {}, zh)).sections[0]?.fields).toEqual([
      {
        label: '时间',
        value: '2026年4月21日 星期二 全天',
        before: '2026年4月21日 星期二 15:00–16:00',
      },
    ]);
  });

  it('lists what of a batch failed', () => {
    const data = {
      items: [
        { ...event(), index: 0, status: 'success' },
        {
          index: 1,
          status: 'failure',
          title: 'bad',
          error: { code: 'INVALID_ACTION_INPUT', message: 'end_at: must be after start_at.' },
        },
      ],
      count: 1,
      failed: 1,
    };
    expect(ui.createCard(data, {}, en)).toMatchObject({
      title: '1 event created, 1 failed',
      tone: 'warning',
      sections: [
        {
          items: [
            { title: 'bad', badges: ['failed'], subtitle: 'end_at: must be after start_at.' },
            { id: 'evt_1', subtitle: 'Tue 21 April 2026 03:00–04:00' },
          ],
        },
      ],
    });
  });

  it('lists with whom an event was shared', () => {
    const data = {
      ...event(),
      targets: [
        { email: 'amy@example.com', name: 'Amy', status: 'invited', permission: 'edit' },
        {
          email: 'no@example.com',
          status: 'failed',
          error: { code: 'NOT_FOUND', message: 'No user.' },
        },
      ],
      count: 1,
      failed: 1,
    };
    expect(card(ui.shareCard(data, {}, zh)).sections[1]?.items).toEqual([
      { title: 'no@example.com', subtitle: '没有这个用户', badges: ['失败'] },
      { title: 'Amy', subtitle: 'amy@example.com', badges: ['已邀请', '可编辑'] },
    ]);
  });

  it('confirms an answer, with the way back', () => {
    const data = event({ status: 'accepted' });
    expect(ui.acceptCard(data, {}, en)).toMatchObject({
      subtitle: 'Invitation accepted',
      tone: 'positive',
    });
    expect(buttons(card(ui.rejectCard(data, {}, en)))).toEqual([
      ['Accept after all', 'accept_invite'],
    ]);
  });

  const templates = Object.entries(ui);

  it.each(templates)('%s survives data that is not what it expects', (_name, template) => {
    for (const locale of ['zh-CN', 'en'] satisfies Locale[]) {
      expect(template([], {}, { ...zh, locale })).toBeNull();
      expect(template(null, {}, { ...zh, locale })).toBeNull();
      expect(template({}, {}, { ...zh, locale })).not.toBeNull();
      expect(
        template({ items: 'x', targets: [1], changes: {} }, {}, { ...zh, locale }),
      ).not.toBeNull();
    }
  });
});
