import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { FakeCalendar } from './testing/fake-calendar.js';
import { furtherModules, withSeries } from './testing/further-modules.js';
import { FURTHER_SENTENCES, SCOPE_SENTENCES } from './testing/further-sentences.js';
import { talk, type Tool } from './testing/talk.js';

async function lastCall(said: readonly string[], tool: Tool) {
  const calls: { call: string; input: JsonObject }[] = [];
  const talked = await talk(said, (method, input, module) => {
    calls.push({ call: `${module}.${method}`, input });
    return tool(method, input, module);
  });
  return { calls, last: calls.at(-1), answer: talked.at(-1)?.answer ?? '' };
}

describe('people, lists and reminders', () => {
  it.each([...FURTHER_SENTENCES])('%j', async (said, call, input) => {
    const { last } = await lastCall(said, furtherModules());
    expect(last).toMatchObject({ call, input });
  });

  it.each([
    [['合并两个 Amy'], '1. Amy Chen (138 0013 8000, amy@example.com)'],
    [['merge the two Amys', 'no'], 'changed nothing'],
    [['把季度总结会分享给 Zoe'], '没有 Zoe 的邮箱'],
    [['remind me 10 minutes before the dentist'], 'I send no notifications myself'],
    [['把牛奶加到我的过敏里'], '已把「牛奶」记到「过敏」里'],
    [['忘掉所有事', '是'], '已忘掉全部 3 条'],
    [['忘掉所有事', '不'], '没有改动'],
    [['forget everything'], '- allergic to nuts'],
  ])('%j answers %s', async (said, answer) => {
    expect((await lastCall(said, furtherModules())).answer).toContain(answer);
  });

  it('asks before anything is merged or forgotten', async () => {
    for (const said of ['合并两个 Amy', 'forget everything', '忘掉所有事']) {
      const { calls } = await lastCall([said], furtherModules());
      expect(calls.map(({ call }) => call.split('.')[1])).toEqual(['read']);
    }
  });

  it('erases nothing when there is more than can be erased one by one', async () => {
    const items = Array.from({ length: 9 }, (_, n) => ({ id: `mem_${n}`, text: 'x' }));
    const tool: Tool = () => ({ status: 'success', items, count: 9 });
    const { calls, answer } = await lastCall(['忘掉所有事', '是'], tool);
    expect(calls.map(({ call }) => call)).not.toContain('memory.forget');
    expect(answer).not.toContain('已忘掉');
  });
});

describe('how much of a series', () => {
  it.each([...SCOPE_SENTENCES])('%j', async (said, call, input) => {
    const { last } = await lastCall(said, withSeries());
    expect(last).toMatchObject({ call, input });
  });

  it('bases a change of more than one occurrence on no version of one', async () => {
    const { last } = await lastCall(['晨会以后都改到十点'], withSeries());
    expect(last?.input).not.toHaveProperty('expected_version');
  });

  it.each([
    ['把晨会改到十点', '只这一次、从这次起的每一次，还是全部'],
    ['move the standup to 10', 'Only that one, from that one on, or all of them'],
    ['把明天的晨会改到十点', '只改了这一次'],
    ['cancel the standup from now on', 'Shall I delete'],
    ['取消明天的晨会', '系列里的其他日程还在'],
  ])('%s: %s', async (said, answer) => {
    const [talked] = await talk([said], withSeries(/standup/.test(said) ? 'Standup' : '晨会'));
    expect(talked?.answer).toContain(answer);
  });
});

describe('what somebody invited the user to', () => {
  const tool = (): Tool => {
    const calendar = new FakeCalendar();
    const bob = { organizer: { name: 'Bob Lee', email: 'b.lee@example.com' }, role: 'viewer' };
    calendar.add('Offsite', '2026-03-10T09:00', '2026-03-10T17:00', {
      ...bob,
      myStatus: 'pending',
    });
    calendar.add('Budget', '2026-03-06T14:00', '2026-03-06T15:00', {
      ...bob,
      myStatus: 'accepted',
    });
    calendar.add('Lunch with Bob', '2026-03-06T12:00', '2026-03-06T13:00');
    return calendar.tool;
  };

  it.each([
    ['what did Bob invite me to?', 'Bob invited you to 2 events:'],
    ['what has Bob Lee invited me to', 'Bob Lee invited you to 2 events:'],
    ['Bob 邀请我参加什么？', 'Bob 邀请你参加 2 个日程：'],
    ['Bob 邀请了我参加哪些会', 'Bob 邀请你参加 2 个日程：'],
  ])('%s', async (said, answer) => {
    const { calls, answer: given } = await lastCall([said], tool());
    expect(calls.map(({ input }) => input['include_invitations'])).toEqual([true]);
    expect(given).toContain(answer);
    expect(given).toMatch(/Budget[^]*Offsite/);
    expect(given).not.toContain('Lunch');
  });

  it('says when it is nothing', async () => {
    const { answer } = await lastCall(['what did Zoe invite me to?'], tool());
    expect(answer).toContain('Zoe invited you to nothing');
  });
});
