import { describe, expect, it } from '@jest/globals';
import { hear } from './testing/talk.js';

const COMING = {
  mode: 'range',
  start_at: '2026-03-04T00:00:00+08:00',
  end_at: '2026-04-03T00:00:00+08:00',
};
const day = (date: string) => ({ mode: 'day', date });
const range = (from: string, to: string) => ({
  mode: 'range',
  start_at: `${from}:00+08:00`,
  end_at: `${to}:00+08:00`,
});
const invitations = { mode: 'range', include_invitations: true };

describe('requests that begin with reading the calendar', () => {
  it.each([
    ['我明天有什么安排', day('2026-03-05')],
    ['明天有会吗', day('2026-03-05')],
    ['明天', day('2026-03-05')],
    ['后天的日程', day('2026-03-06')],
    ['今天有几个会？', day('2026-03-04')],
    ['看看12月5日的安排', day('2026-12-05')],
    ['看一下下周的日程', range('2026-03-09T00:00', '2026-03-16T00:00')],
    ['下下周有什么安排', range('2026-03-16T00:00', '2026-03-23T00:00')],
    ['本周日程', range('2026-03-02T00:00', '2026-03-09T00:00')],
    ['这个月有哪些会', range('2026-03-01T00:00', '2026-04-01T00:00')],
    ['周末有安排吗', range('2026-03-07T00:00', '2026-03-09T00:00')],
    ['未来三天有什么安排', range('2026-03-04T00:00', '2026-03-07T00:00')],
    ['今天下午有会吗', range('2026-03-04T12:00', '2026-03-04T18:00')],
    ['明天晚上有空吗', range('2026-03-05T18:00', '2026-03-06T00:00')],
    ['我下午有空吗', range('2026-03-04T12:00', '2026-03-04T18:00')],
    ['有没有和 Amy 的会', COMING],
    ['项目会是什么时候', COMING],
    ['我的日程', COMING],
    ['項目會幾點', COMING],
    ["what's on my calendar tomorrow", day('2026-03-05')],
    ['what do I have today?', day('2026-03-04')],
    ['am I free on Friday?', day('2026-03-06')],
    ['show my week', range('2026-03-02T00:00', '2026-03-09T00:00')],
    ["what's up next week", range('2026-03-09T00:00', '2026-03-16T00:00')],
    ['do I have anything tomorrow afternoon?', range('2026-03-05T12:00', '2026-03-05T18:00')],
    ['list my meetings for the next 3 days', range('2026-03-04T00:00', '2026-03-07T00:00')],
    ['when is my meeting with Amy?', COMING],
    ['show my agenda', COMING],
    ['取消明天和 Amy 的会', day('2026-03-05')],
    ['把项目会删掉', COMING],
    ['删除周五的站会', day('2026-03-06')],
    ['明天的会取消掉', day('2026-03-05')],
    ['delete the budget meeting tomorrow', day('2026-03-05')],
    ['please cancel my lunch with Sam', COMING],
    ['call off the offsite', COMING],
    ['把项目会改到后天下午四点', COMING],
    ['明天的项目会推迟一个小时', day('2026-03-05')],
    ['项目会提前半小时', COMING],
    ['把明天三点的会挪到四点', day('2026-03-05')],
    ['move the budget meeting to 4pm', COMING],
    ["reschedule tomorrow's standup to Friday", day('2026-03-05')],
    ['rename the budget meeting to Finance review', COMING],
    ['push the standup back by 15 minutes', COMING],
    ['把项目会分享给 amy@example.com', COMING],
    ['share the budget meeting with bob@example.com', COMING],
    ['有哪些邀请', invitations],
    ['我收到了什么邀请？', invitations],
    ['do I have any invitations?', invitations],
    ['show pending invites', invitations],
    ['接受项目会的邀请', invitations],
    ['拒绝 Carol 的邀请', invitations],
    ['accept the invitation to the offsite', invitations],
    ['decline the invitation to Team lunch', invitations],
  ])('%s', async (said, input) => {
    const { call, text } = await hear(said);
    expect(call).toMatchObject({ module: 'calendar', method: 'read', input });
    expect(text).toBe('');
  });
});

describe('requests that need no calendar', () => {
  it.each([
    ['你好', '你好'],
    ['Hello!', 'Hello'],
    ['谢谢！', '不客气'],
    ['thanks a lot', 'welcome'],
    ['算了', '没有改动'],
    ['不要取消项目会', '不会改动'],
    ["don't delete the budget meeting", 'will not change'],
    ['大家什么时候有空', '名字或邮箱'],
    ['when is everyone free tomorrow?', 'Whose'],
    ['今天天气怎么样', '没有听懂'],
    ["what's the weather tomorrow", 'not understand'],
    ['给我讲个笑话', '没有听懂'],
    ['asdf qwer', 'not understand'],
    ['锟斤拷烫烫烫', '没有听懂'],
    ['取消', '哪个日程'],
    ['delete it', 'Which event'],
    ['取消项目会，然后创建一个明天九点的评审会', '不止一件事'],
    ['cancel the standup and then schedule a call tomorrow at 9', 'one thing'],
    ['SELECT * FROM users; DROP TABLE events', 'not understand'],
    ['function f() { return 1; }', 'not understand'],
    ['مرحبا كيف حالك', '没有听懂'],
    ['😀😀🎉', '具体的请求'],
    ['？！…', '具体的请求'],
    ['', '具体的请求'],
  ])('%s', async (said, answer) => {
    const { call, text } = await hear(said);
    expect(call).toBeNull();
    expect(text).toContain(answer);
  });

  it.each([
    '你能做什么',
    '帮助',
    'help',
    'what can you do?',
    '怎么取消会议',
    'how do I share an event?',
  ])('%s asks help for what there is', async (said) => {
    const { call } = await hear(said);
    expect(call).toMatchObject({ module: 'help', method: 'methods' });
  });

  it('answers in the language of the message, else in that of the user', async () => {
    expect((await hear('hello', { locale: 'zh-CN' })).text).toMatch(/^Hello/);
    expect((await hear('你好', { locale: 'en' })).text).toMatch(/^你好/);
    expect((await hear('?!', { locale: 'en' })).text).toMatch(/^I see/);
  });
});
