import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { failure, FakeCalendar } from './testing/fake-calendar.js';
import { talk, type Exchange } from './testing/talk.js';

let calendar: FakeCalendar;
let dentist: string;
let summary: string;
let budget: string;

beforeEach(() => {
  calendar = new FakeCalendar();
  dentist = calendar.add('Dentist', '2026-03-06T09:00', '2026-03-06T09:30');
  summary = calendar.add('季度总结会', '2026-03-06T14:00', '2026-03-06T15:00', {
    location: '星巴克',
  });
  budget = calendar.add('预算会', '2026-03-09T09:00', '2026-03-09T10:00', {
    role: 'viewer',
    myStatus: 'accepted',
    organizer: { name: 'Carol' },
  });
});

const tool = (method: string, input: JsonObject): JsonObject => calendar.tool(method, input);
const lastCall = (exchange: Exchange | undefined) => exchange?.calls.at(-1);

describe('a verb that moves', () => {
  it.each([
    ['Move the dentist to 11', () => dentist, '2026-03-06T11:00:00+08:00'],
    ['push the dentist back to 3', () => dentist, '2026-03-06T15:00:00+08:00'],
    ['reschedule the dentist to 16', () => dentist, '2026-03-06T16:00:00+08:00'],
    ['把季度总结会移到10', () => summary, '2026-03-06T10:00:00+08:00'],
    ['把季度总结会挪到十一', () => summary, '2026-03-06T11:00:00+08:00'],
    ['季度总结会提前到9', () => summary, '2026-03-06T09:00:00+08:00'],
    ['季度总结会推迟到16', () => summary, '2026-03-06T16:00:00+08:00'],
    ['把季度总结会改到下周一10', () => summary, '2026-03-09T10:00:00+08:00'],
  ])('%s: a bare number is an hour', async (said, id, start) => {
    const [exchange] = await talk([said], tool);
    expect(lastCall(exchange)).toMatchObject({
      method: 'update',
      input: { event_id: id(), start_at: start },
    });
  });

  it.each([
    'Move the dentist to the moon',
    'shift the dentist to 25',
    '把季度总结会移到月球',
    '把季度总结会改成大会',
    '季度总结会延到99',
  ])('%s: asks, and never sets a title', async (said) => {
    const [exchange] = await talk([said], tool);
    expect(exchange?.calls.map(({ method }) => method)).not.toContain('update');
    expect(exchange?.answer).toMatch(/改成什么|What should change/);
  });

  it.each([
    ['rename the dentist to Checkup', { title: 'Checkup' }],
    ['把季度总结会改名为年会', { title: '年会' }],
  ])('%s: a rename sets it', async (said, fields) => {
    const [exchange] = await talk([said], tool);
    expect(lastCall(exchange)?.input).toMatchObject(fields);
  });

  it('takes the bare reply to what should change', async () => {
    const [, moved] = await talk(['修改季度总结会', '四点'], tool);
    expect(lastCall(moved)?.input).toMatchObject({
      event_id: summary,
      start_at: '2026-03-06T16:00:00+08:00',
    });
  });
});

describe('deleting what nobody named', () => {
  it.each(['cancel the meeting', '取消那个会', '取消会议', 'delete that event'])(
    '%s: asks which without a focus',
    async (said) => {
      const [exchange] = await talk([said], tool);
      expect(exchange?.calls).toEqual([]);
      expect(exchange?.answer).toMatch(/哪个日程|Which event/);
    },
  );

  it.each([
    ['when is the dentist?', 'cancel the meeting', 'yes', 'Do you mean "Dentist"'],
    ['when is the dentist?', 'cancel that meeting', 'yes please', 'Do you mean "Dentist"'],
    ['dentist 是什么时候', '取消那个会', '是', '「Dentist」'],
    ['dentist 是什么时候', '取消会议', '对', '「Dentist」'],
  ])('%s, %s, %s', async (look, said, yes, asked) => {
    const talked = await talk([look, said, yes], tool);
    expect(talked[1]?.calls).toEqual([]);
    expect(talked[1]?.answer).toContain(asked);
    expect(talked[2]?.calls).toEqual([{ method: 'delete', input: { event_id: dentist } }]);
  });

  it.each(['no', '不是', '算了'])('deletes nothing after %s', async (no) => {
    const talked = await talk(['when is the dentist?', 'cancel the meeting', no], tool);
    expect(talked[2]?.calls).toEqual([]);
    expect(calendar.get(dentist)).toBeDefined();
  });

  it('lists what everything would be and deletes one at a time', async () => {
    const talked = await talk(['cancel everything on Friday', 'the first one'], tool);
    expect(talked[0]?.calls.map(({ method }) => method)).toEqual(['read']);
    expect(talked[0]?.answer).toContain('one at a time');
    expect(lastCall(talked[1])).toEqual({ method: 'delete', input: { event_id: dentist } });
  });
});

describe('a time range that ends before it begins', () => {
  it.each([
    ['明天下午三点到两点开会', '四点', '会议'],
    ['meeting with Bob tomorrow from 3pm to 2pm', '4pm', 'Meeting with Bob'],
  ])('%s: asks for the end', async (said, reply, title) => {
    const [asked, made] = await talk([said, reply], tool);
    expect(asked?.calls).toEqual([]);
    expect(lastCall(made)?.input).toMatchObject({
      title,
      start_at: '2026-03-05T15:00:00+08:00',
      end_at: '2026-03-05T16:00:00+08:00',
    });
  });
});

describe('a new request after a question', () => {
  it.each([
    ['我周五有什么安排', 'read'],
    ['后天上午十点和 Bob 开评审会', 'create'],
    ['取消 Dentist', 'delete'],
  ])('%s is not glued to the old one', async (said, method) => {
    const [, next] = await talk(['和 Amy 明天开会', said], tool);
    expect(lastCall(next)?.method).toBe(method);
    expect(JSON.stringify(next?.calls)).not.toContain('Amy');
  });
});

describe('questions about the calendar', () => {
  it('answers a point in time as the point', async () => {
    const [exchange] = await talk(['后天下午两点半有什么'], tool);
    expect(exchange?.calls[0]?.input).toMatchObject({
      mode: 'range',
      start_at: '2026-03-06T14:30:00+08:00',
      end_at: '2026-03-06T14:31:00+08:00',
    });
    expect(exchange?.answer).toContain('季度总结会');
  });

  it.each([
    ['Am I free on Friday?', '09:30–14:00, 15:00–18:00'],
    ['我周五有空吗', '09:30–14:00、15:00–18:00'],
    ['am I free on Thursday?', 'you are free'],
  ])('%s', async (said, answer) => {
    const [exchange] = await talk([said], tool);
    expect(exchange?.answer).toContain(answer);
  });

  it.each([
    ['周五的会在哪里', '「季度总结会」在星巴克'],
    ['我下周几号有会', '预算会'],
    ['what do I have at 9am on Friday', 'Dentist'],
  ])('%s', async (said, answer) => {
    const [exchange] = await talk([said], tool);
    expect(exchange?.answer).toContain(answer);
  });

  it('searches a named event instead of listing a month', async () => {
    const [exchange] = await talk(['季度总结会是什么时候'], tool);
    expect(exchange?.calls.map(({ input }) => input['query'])).toEqual(['季度总结']);
  });
});

describe('people', () => {
  it.each(['退出预算会', 'leave the 预算会'])('%s', async (said) => {
    const [exchange] = await talk([said], tool);
    expect(exchange?.calls[0]?.input).toMatchObject({ query: '预算' });
    expect(lastCall(exchange)).toEqual({ method: 'reject_invite', input: { event_id: budget } });
  });

  it('says that no user has an address', async () => {
    const issues = [{ path: 'with.0', message: 'No user has the email x@example.com.' }];
    const [exchange] = await talk(['把季度总结会分享给 x@example.com'], (method, input) =>
      method === 'share' ? failure('NOT_FOUND', { issues }) : tool(method, input),
    );
    expect(exchange?.answer).toContain('没有使用这个邮箱的用户');
  });

  it('says a person once, and not when the title names them', async () => {
    const [made] = await talk(['Lunch with Ann tomorrow at noon'], tool);
    expect(made?.answer).toBe('Created "Lunch with Ann", tomorrow (Thu, Mar 5) 12:00–13:00.');
  });

  it('adds nobody twice', async () => {
    const [, again] = await talk(['和 Bob 明天十点开评审会', '邀请 bob 参加评审会'], tool);
    expect(lastCall(again)?.input).toMatchObject({ attendees: [{ name: 'Bob' }] });
  });

  it('names neither the reader nor anybody twice', async () => {
    calendar.add('Sync', '2026-03-10T09:00', '2026-03-10T10:00', {
      organizer: { name: 'Me', email: 'me@example.com' },
      attendees: [
        { name: 'Me', email: 'me@example.com', status: 'accepted' },
        { name: 'Bob', email: 'bob@example.com', status: 'pending' },
        { name: 'Bobby', email: 'BOB@example.com', status: 'pending' },
      ],
    });
    const [exchange] = await talk(["what's on next Tuesday"], tool);
    expect(exchange?.answer).toContain('Sync (with Bob)');
  });
});

describe('help', () => {
  const listed = (...ids: string[]): JsonObject => ({
    status: 'success',
    methods: ids.map((id) => ({ module: id.split('.')[0] ?? '', method: id.split('.')[1] ?? '' })),
  });

  it('says only what is allowed, and names modules it does not plan for', async () => {
    const [exchange] = await talk(['你能做什么'], () =>
      listed('calendar.read', 'weather.now', 'help.methods'),
    );
    expect(exchange?.answer).toContain('查看日程');
    expect(exchange?.answer).not.toContain('取消');
    expect(exchange?.answer).toContain('weather');
  });

  it('says so when help itself is denied', async () => {
    const [exchange] = await talk(['help'], () => failure('METHOD_NOT_ALLOWED'));
    expect(exchange?.answer).toContain('not allowed to see the list');
    expect(exchange?.answer).not.toContain('create an event');
  });
});

it.each([
  ['再见', '再见'],
  ['bye!', 'Goodbye'],
])('%s', async (said, answer) => {
  const [exchange] = await talk([said], tool);
  expect(exchange).toMatchObject({ calls: [], answer: expect.stringContaining(answer) });
});
