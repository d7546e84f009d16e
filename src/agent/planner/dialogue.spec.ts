import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { failure, FakeCalendar } from './testing/fake-calendar.js';
import { talk } from './testing/talk.js';

let calendar: FakeCalendar;
let project: string;
let budget: string;
let monday: string;
let friday: string;
let saturday: string;

beforeEach(() => {
  calendar = new FakeCalendar();
  project = calendar.add('项目会', '2026-03-05T15:00', '2026-03-05T16:00', {
    attendees: [{ name: 'Amy' }],
  });
  budget = calendar.add('Budget meeting', '2026-03-05T10:00', '2026-03-05T10:45');
  monday = calendar.add('团队周会', '2026-03-09T09:00', '2026-03-09T10:00');
  friday = calendar.add('Standup', '2026-03-06T09:00', '2026-03-06T09:15');
  saturday = calendar.add('Standup', '2026-03-07T09:00', '2026-03-07T09:15');
});

const tool = (method: string, input: JsonObject): JsonObject => calendar.tool(method, input);
const last = <T>(list: T[]): T | undefined => list.at(-1);

describe('create, look up, delete', () => {
  it('reports in local words what was made', async () => {
    const [made] = await talk(['明天下午三点和 Amy 开项目会，一个小时'], tool);
    expect(made?.answer).toBe(
      '已创建日程：「项目会」，明天（3月5日周四）15:00–16:00，参与人 Amy。',
    );
  });

  it('says which half of the day it took', async () => {
    const [made] = await talk(['schedule a call tomorrow at 3'], tool);
    expect(made?.answer).toContain('I took 15:00');
  });

  it('lists a day in order', async () => {
    const [listed] = await talk(['我明天有什么安排'], tool);
    expect(listed?.answer).toBe(
      '明天（3月5日周四）有 2 个安排：\n- 10:00–10:45 Budget meeting\n- 15:00–16:00 项目会（和 Amy）',
    );
  });

  it('says when nothing is there', async () => {
    const [listed, none] = await talk(['今天下午有会吗', 'when is my meeting with Zoe?'], tool);
    expect(listed?.answer).toBe('今天（3月4日周三）下午没有安排。');
    expect(none?.answer).toBe('I found no event with Zoe in the next 30 days.');
  });

  it.each([
    ['取消明天和 Amy 的会', () => project],
    ['把项目会删掉', () => project],
    ['delete the budget meeting tomorrow', () => budget],
    ['cancel the standup on Friday', () => friday],
    ['取消明天下午三点的会', () => project],
    ['删除下周一的周会', () => monday],
  ])('%s', async (said, id) => {
    const [exchange] = await talk([said], tool);
    expect(exchange?.calls.map(({ method }) => method)).toEqual(['read', 'delete']);
    expect(last(exchange?.calls ?? [])?.input).toEqual({ event_id: id() });
    expect(calendar.get(id())).toBeUndefined();
  });

  it('deletes what the turn before made, once', async () => {
    const talked = await talk(
      ['Lunch with Sam on Friday 12:30-13:30', 'cancel it', 'cancel it'],
      tool,
    );
    expect(talked[1]?.calls).toEqual([{ method: 'delete', input: { event_id: 'evt_6' } }]);
    expect(talked[2]).toMatchObject({ calls: [], answer: expect.stringContaining('Which event') });
  });

  it('never deletes on an ambiguous match, and takes the choice that follows', async () => {
    const talked = await talk(['delete the standup', 'the second one'], tool);
    expect(talked[0]?.calls.map(({ method }) => method)).toEqual(['read']);
    expect(talked[0]?.answer).toContain('2. Sat, Mar 7 09:00–09:15 Standup');
    expect(talked[1]?.calls).toEqual([{ method: 'delete', input: { event_id: saturday } }]);
    expect(calendar.get(friday)).toBeDefined();
  });

  it('takes a choice by its day, and none that fits no one', async () => {
    const [, chosen] = await talk(['取消 standup', '周五那个'], tool);
    expect(chosen?.calls).toEqual([{ method: 'delete', input: { event_id: friday } }]);
    const [, dropped] = await talk(['删掉 9 点的 standup', '算了'], tool);
    expect(dropped).toEqual({ calls: [], answer: '好的，我什么都没有改动。' });
  });

  it('deletes nothing when nothing fits', async () => {
    const [exchange] = await talk(['取消明天和 Zoe 的会'], tool);
    expect(exchange?.calls.map(({ method }) => method)).toEqual(['read']);
    expect(exchange?.answer).toContain('没有找到');
  });
});

describe('changes', () => {
  it.each([
    [
      '把项目会改到后天下午四点',
      { start_at: '2026-03-06T16:00:00+08:00', end_at: '2026-03-06T17:00:00+08:00' },
    ],
    [
      '把项目会改到周五',
      { start_at: '2026-03-06T15:00:00+08:00', end_at: '2026-03-06T16:00:00+08:00' },
    ],
    [
      '项目会推迟一个小时',
      { start_at: '2026-03-05T16:00:00+08:00', end_at: '2026-03-05T17:00:00+08:00' },
    ],
    [
      '把项目会提前半小时',
      { start_at: '2026-03-05T14:30:00+08:00', end_at: '2026-03-05T15:30:00+08:00' },
    ],
    [
      '把项目会推迟一天',
      { start_at: '2026-03-06T15:00:00+08:00', end_at: '2026-03-06T16:00:00+08:00' },
    ],
    [
      '把项目会延长半小时',
      { start_at: '2026-03-05T15:00:00+08:00', end_at: '2026-03-05T16:30:00+08:00' },
    ],
    [
      '把项目会改成两个小时',
      { start_at: '2026-03-05T15:00:00+08:00', end_at: '2026-03-05T17:00:00+08:00' },
    ],
    ['把项目会改名为启动会', { title: '启动会' }],
    ['把项目会的地点改成三号会议室', { location: '三号会议室' }],
    ['邀请 Bob 参加项目会', { attendees: [{ name: 'Amy' }, { name: 'Bob' }] }],
    [
      'move my meeting with Amy to 4pm',
      { start_at: '2026-03-05T16:00:00+08:00', end_at: '2026-03-05T17:00:00+08:00' },
    ],
    [
      'reschedule 项目会 to Friday at 9am',
      { start_at: '2026-03-06T09:00:00+08:00', end_at: '2026-03-06T10:00:00+08:00' },
    ],
    [
      'add carol@example.com to the meeting with Amy',
      { attendees: [{ name: 'Amy' }, { email: 'carol@example.com' }] },
    ],
  ])('%s', async (said, fields) => {
    const [exchange] = await talk([said], tool);
    expect(exchange?.calls.map(({ method }) => method)).toEqual(['read', 'update']);
    expect(last(exchange?.calls ?? [])?.input).toEqual({
      event_id: project,
      ...fields,
      expected_version: 1,
    });
  });

  it('looks again and tries once more when the event was changed meanwhile', async () => {
    let conflicts = 0;
    const [exchange] = await talk(['把项目会改到四点'], (method, input) => {
      if (method !== 'update' || conflicts > 0) return tool(method, input);
      conflicts += 1;
      tool('update', { event_id: project, title: '项目会' });
      return failure('CONFLICT');
    });
    expect(exchange?.calls.map(({ method }) => method)).toEqual([
      'read',
      'update',
      'read',
      'update',
    ]);
    expect(exchange?.answer).toContain('16:00–17:00');
  });

  it('gives up after the second conflict', async () => {
    const [exchange] = await talk(['把项目会改到四点'], (method, input) =>
      method === 'update' ? failure('CONFLICT') : tool(method, input),
    );
    expect(exchange?.calls).toHaveLength(4);
    expect(exchange?.answer).toContain('刚刚被别人改过');
  });

  it('renames what was talked about', async () => {
    const talked = await talk(['move the budget meeting to 4pm', 'rename it to Finance'], tool);
    expect(talked[1]?.calls).toEqual([
      { method: 'update', input: { event_id: budget, title: 'Finance', expected_version: 2 } },
    ]);
  });
});

describe('questions and replies', () => {
  it('asks for the time and takes the reply', async () => {
    const [asked, made] = await talk(['和 Amy 明天开会', '下午三点'], tool);
    expect(asked?.calls).toEqual([]);
    expect(made?.calls[0]?.input).toMatchObject({
      title: '和 Amy 的会议',
      start_at: '2026-03-05T15:00:00+08:00',
    });
  });

  it('asks for the title and takes the reply', async () => {
    const [, made] = await talk(['帮我安排明天下午三点', '产品评审'], tool);
    expect(made?.calls[0]?.input).toMatchObject({ title: '产品评审' });
  });

  it('takes a weekday inside the week that was said', async () => {
    const [, made] = await talk(['安排下周和 Amy 开会', '周三下午三点'], tool);
    expect(made?.calls[0]?.input).toMatchObject({ start_at: '2026-03-11T15:00:00+08:00' });
  });

  it('asks for an email and takes the reply', async () => {
    const [asked, shared] = await talk(['把项目会分享给 Amy', 'amy@example.com'], tool);
    expect(asked?.answer).toContain('邮箱');
    expect(last(shared?.calls ?? [])).toEqual({
      method: 'share',
      input: { event_id: project, with: [{ email: 'amy@example.com', permission: 'view' }] },
    });
  });

  it('follows a change of subject', async () => {
    const talked = await talk(['和 Amy 明天开会', '取消 Budget meeting'], tool);
    expect(last(talked[1]?.calls ?? [])?.input).toEqual({ event_id: budget });
  });

  it('understands a follow-up day', async () => {
    const [, next] = await talk(['今天下午有会吗', '明天呢'], tool);
    expect(next?.calls[0]?.input).toMatchObject({ mode: 'day', date: '2026-03-05' });
  });
});

describe('invitations', () => {
  it.each([
    ['接受 Offsite 的邀请', 'accept_invite', '已接受'],
    ['decline the invitation to the offsite', 'reject_invite', 'Declined'],
    ['接受 Carol 的邀请', 'accept_invite', '已接受'],
  ])('%s', async (said, method, answer) => {
    const id = calendar.add('Offsite', '2026-03-12T09:00', '2026-03-12T10:00', {
      myStatus: 'pending',
      organizer: { name: 'Carol' },
    });
    const [exchange] = await talk([said], tool);
    expect(last(exchange?.calls ?? [])).toEqual({ method, input: { event_id: id } });
    expect(exchange?.answer).toContain(answer);
  });

  it('lists those that wait', async () => {
    calendar.add('Offsite', '2026-03-12T09:00', '2026-03-12T10:00', {
      myStatus: 'pending',
      organizer: { name: 'Carol' },
    });
    const [exchange] = await talk(['有哪些邀请'], tool);
    expect(exchange?.answer).toBe(
      '有 1 个邀请等你回复：\n- 3月12日周四 09:00–10:00 Offsite 来自 Carol',
    );
  });
});
