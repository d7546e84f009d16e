import { describe, expect, it } from '@jest/globals';
import { hear } from './testing/talk.js';

/** Utterance, title, start, end (Shanghai wall time; a date alone is a whole day), then people, place. */
type Case = [
  said: string,
  title: string,
  start: string,
  end: string,
  people?: string[],
  place?: string,
];

const ZH: Case[] = [
  [
    '明天下午三点和 Amy 开项目会，一个小时',
    '项目会',
    '2026-03-05T15:00',
    '2026-03-05T16:00',
    ['Amy'],
  ],
  ['明天下午三点和Amy开项目会', '项目会', '2026-03-05T15:00', '2026-03-05T16:00', ['Amy']],
  [
    '明天下午三点在三号会议室和李雷、韩梅梅讨论预算',
    '讨论预算',
    '2026-03-05T15:00',
    '2026-03-05T16:00',
    ['李雷', '韩梅梅'],
    '三号会议室',
  ],
  ['帮我安排一个后天上午十点的产品评审会', '产品评审会', '2026-03-06T10:00', '2026-03-06T11:00'],
  [
    '下周三中午12点约 Sam 在星巴克喝咖啡',
    '和 Sam 喝咖啡',
    '2026-03-11T12:00',
    '2026-03-11T13:00',
    ['Sam'],
    '星巴克',
  ],
  [
    '这周五下午4点半跟张三面试候选人，半小时',
    '面试候选人',
    '2026-03-06T16:30',
    '2026-03-06T17:00',
    ['张三'],
  ],
  ['12月5日早上9点看牙医', '看牙医', '2026-12-05T09:00', '2026-12-05T10:00'],
  ['明天三点开会', '会议', '2026-03-05T15:00', '2026-03-05T16:00'],
  ['明天三点半开会', '会议', '2026-03-05T15:30', '2026-03-05T16:30'],
  ['明天两点一刻开会', '会议', '2026-03-05T14:15', '2026-03-05T15:15'],
  ['明天15:30开评审会', '评审会', '2026-03-05T15:30', '2026-03-05T16:30'],
  ['明天9点开晨会，15分钟', '晨会', '2026-03-05T09:00', '2026-03-05T09:15'],
  ['提醒我明天下午三点给 Bob 打电话', '给 Bob 打电话', '2026-03-05T15:00', '2026-03-05T16:00'],
  [
    '明天下午2点到4点 团队周会 地点：A座301',
    '团队周会',
    '2026-03-05T14:00',
    '2026-03-05T16:00',
    undefined,
    'A座301',
  ],
  ['新建日程「季度复盘」后天15:30，90分钟', '季度复盘', '2026-03-06T15:30', '2026-03-06T17:00'],
  ['創建一個明天下午三點的項目會議', '項目會議', '2026-03-05T15:00', '2026-03-05T16:00'],
  [
    '请帮我在明天下午四点安排和王总的会议',
    '和王总的会议',
    '2026-03-05T16:00',
    '2026-03-05T17:00',
    ['王总'],
  ],
  ['今晚七点和朋友吃饭', '和朋友吃饭', '2026-03-04T19:00', '2026-03-04T20:00'],
  [
    '后天早上9点半跟客户开会，地点在国贸大厦',
    '和客户的会议',
    '2026-03-06T09:30',
    '2026-03-06T10:30',
    undefined,
    '国贸大厦',
  ],
  [
    '邀请 amy@example.com、bob@example.com 明天10点开需求评审会',
    '需求评审会',
    '2026-03-05T10:00',
    '2026-03-05T11:00',
    ['amy@example.com', 'bob@example.com'],
  ],
  ['下午三点到五点培训', '培训', '2026-03-04T15:00', '2026-03-04T17:00'],
  ['明天 3pm 和 Bob 1:1', '1:1', '2026-03-05T15:00', '2026-03-05T16:00', ['Bob']],
  ['添加日程：周四 18:00 健身', '健身', '2026-03-05T18:00', '2026-03-05T19:00'],
  ['明天上午10点开会讨论预算', '讨论预算', '2026-03-05T10:00', '2026-03-05T11:00'],
  ['预约下周二下午两点的牙医', '牙医', '2026-03-10T14:00', '2026-03-10T15:00'],
  ['明天晚上8点到10点看电影', '看电影', '2026-03-05T20:00', '2026-03-05T22:00'],
  ['明天上午11点到1点面试', '面试', '2026-03-05T11:00', '2026-03-05T13:00'],
  [
    '大后天下午一点半，和 Lily 吃午饭，一个半小时',
    '和 Lily 吃午饭',
    '2026-03-07T13:30',
    '2026-03-07T15:00',
    ['Lily'],
  ],
  ['下个月3号上午九点体检', '体检', '2026-04-03T09:00', '2026-04-03T10:00'],
  ['月底下午五点交报告', '交报告', '2026-03-31T17:00', '2026-03-31T18:00'],
  ['2026年4月8日14:00开董事会，两个半小时', '董事会', '2026-04-08T14:00', '2026-04-08T16:30'],
  ['半小时后开个短会', '短会', '2026-03-04T10:30', '2026-03-04T11:30'],
  ['明早八点跑步', '跑步', '2026-03-05T08:00', '2026-03-05T09:00'],
  ['明天７点吃晚饭', '吃晚饭', '2026-03-05T19:00', '2026-03-05T20:00'],
  ['明天晚上十二点看球', '看球', '2026-03-06T00:00', '2026-03-06T01:00'],
  ['两周后下午三点复查', '复查', '2026-03-18T15:00', '2026-03-18T16:00'],
  ['下下周一上午十点开启动会', '启动会', '2026-03-16T10:00', '2026-03-16T11:00'],
  ['8点站会', '站会', '2026-03-05T08:00', '2026-03-05T09:00'],
  ['明天休假', '休假', '2026-03-05', '2026-03-05'],
  ['周一到周三出差', '出差', '2026-03-09', '2026-03-11'],
  ['12月5日到7日休年假', '休年假', '2026-12-05', '2026-12-07'],
  ['后天全天团建', '团建', '2026-03-06', '2026-03-06'],
  [
    '明天下午三点在 Zoom 上和 Amy 开会',
    '和 Amy 的会议',
    '2026-03-05T15:00',
    '2026-03-05T16:00',
    ['Amy'],
    'Zoom',
  ],
];

const EN: Case[] = [
  [
    'Schedule a meeting with Bob and Amy tomorrow at 3pm for 45 minutes about the budget in Room 3',
    'Meeting about the budget',
    '2026-03-05T15:00',
    '2026-03-05T15:45',
    ['Bob', 'Amy'],
    'Room 3',
  ],
  [
    'Lunch with Sam on Friday 12:30-13:30',
    'Lunch with Sam',
    '2026-03-06T12:30',
    '2026-03-06T13:30',
    ['Sam'],
  ],
  ['book dentist Dec 5 at 9', 'Dentist', '2026-12-05T09:00', '2026-12-05T10:00'],
  [
    'Please add a budget review to my calendar next Wednesday from 2 to 3:30pm',
    'Budget review',
    '2026-03-11T14:00',
    '2026-03-11T15:30',
  ],
  [
    'set up a call with amy@example.com on Monday at 10am',
    'Call with amy@example.com',
    '2026-03-09T10:00',
    '2026-03-09T11:00',
    ['amy@example.com'],
  ],
  [
    'create an event called "Team offsite" all day on March 20',
    'Team offsite',
    '2026-03-20',
    '2026-03-20',
  ],
  ['vacation next Monday to Wednesday', 'Vacation', '2026-03-09', '2026-03-11'],
  ['remind me to call Bob tomorrow at 5', 'Call Bob', '2026-03-05T17:00', '2026-03-05T18:00'],
  [
    'Coffee with Anna at Starbucks tomorrow at 4pm',
    'Coffee with Anna',
    '2026-03-05T16:00',
    '2026-03-05T17:00',
    ['Anna'],
    'Starbucks',
  ],
  ['standup tomorrow 9-9:15', 'Standup', '2026-03-05T09:00', '2026-03-05T09:15'],
  [
    'Can you schedule a design review the day after tomorrow at noon for two hours?',
    'Design review',
    '2026-03-06T12:00',
    '2026-03-06T14:00',
  ],
  [
    'Dinner with Tom tomorrow at 7',
    'Dinner with Tom',
    '2026-03-05T19:00',
    '2026-03-05T20:00',
    ['Tom'],
  ],
  ['put gym on my calendar tonight at 8', 'Gym', '2026-03-04T20:00', '2026-03-04T21:00'],
  [
    'meeting tomorrow at 10 with the team',
    'Meeting with the team',
    '2026-03-05T10:00',
    '2026-03-05T11:00',
  ],
  [
    'Interview with Jane Doe Thursday 2pm via Zoom',
    'Interview',
    '2026-03-05T14:00',
    '2026-03-05T15:00',
    ['Jane Doe'],
    'Zoom',
  ],
  [
    'Schedule lunch with May on May 5 at noon',
    'Lunch with May',
    '2026-05-05T12:00',
    '2026-05-05T13:00',
    ['May'],
  ],
  [
    'schedule 项目会 tomorrow at 3pm with Amy',
    '项目会',
    '2026-03-05T15:00',
    '2026-03-05T16:00',
    ['Amy'],
  ],
  [
    'Meet with Bob tomorrow at half past three',
    'Meet with Bob',
    '2026-03-05T15:30',
    '2026-03-05T16:30',
    ['Bob'],
  ],
  [
    'arrange a workshop in the big conference room on Friday from 9am to noon',
    'Workshop',
    '2026-03-06T09:00',
    '2026-03-06T12:00',
    undefined,
    'the big conference room',
  ],
  ['new meeting tomorrow at 11, title: Roadmap', 'Roadmap', '2026-03-05T11:00', '2026-03-05T12:00'],
  [
    'Call with Bob, Amy and carol@example.com tomorrow 2pm',
    'Call with Bob, Amy and carol@example.com',
    '2026-03-05T14:00',
    '2026-03-05T15:00',
    ['Bob', 'Amy', 'carol@example.com'],
  ],
  [
    'block two hours for writing tomorrow at 9am',
    'Writing',
    '2026-03-05T09:00',
    '2026-03-05T11:00',
  ],
  ['in 2 hours call mom', 'Call mom', '2026-03-04T12:00', '2026-03-04T13:00'],
  [
    'add 1:1 with Priya on 2026-03-10 at 15:00 for 30 min',
    '1:1 with Priya',
    '2026-03-10T15:00',
    '2026-03-10T15:30',
    ['Priya'],
  ],
  ['Plan a retro for next Friday at 4', 'Retro', '2026-03-13T16:00', '2026-03-13T17:00'],
  [
    'schedule a meeting tomorrow at 2pm to discuss hiring',
    'Meeting about hiring',
    '2026-03-05T14:00',
    '2026-03-05T15:00',
  ],
  [
    "I'd like to book a haircut on Saturday at 11am",
    'Haircut',
    '2026-03-07T11:00',
    '2026-03-07T12:00',
  ],
  ['day off on Friday', 'Day off', '2026-03-06', '2026-03-06'],
  [
    'Doctor appointment Mar 12 8:30am',
    'Doctor appointment',
    '2026-03-12T08:30',
    '2026-03-12T09:30',
  ],
  ['add a team sync at 4', 'Team sync', '2026-03-04T16:00', '2026-03-04T17:00'],
  [
    'Flight to Berlin on Sunday 6:45am for 1h30',
    'Flight to Berlin',
    '2026-03-08T06:45',
    '2026-03-08T08:15',
  ],
  [
    'make a reservation for dinner tomorrow at 19:30',
    'Reservation for dinner',
    '2026-03-05T19:30',
    '2026-03-05T20:30',
  ],
];

describe('requests for a new event', () => {
  it.each([...ZH, ...EN])('%s', async (said, title, start, end, ...more) => {
    const [people, place] = more;
    const { call } = await hear(said);
    expect(call).toMatchObject({ module: 'calendar', method: 'create' });
    const input = call?.input ?? {};
    const times =
      start.length > 10
        ? { start_at: `${start}:00+08:00`, end_at: `${end}:00+08:00` }
        : { all_day: true, start_date: start, end_date: end };
    const attendees = people?.map((name) => (name.includes('@') ? { email: name } : { name }));
    expect(input).toEqual({
      title,
      ...times,
      timezone: 'Asia/Shanghai',
      ...(attendees && { attendees }),
      ...(place !== undefined && { location: place }),
    });
  });
});

describe('what is missing is asked for', () => {
  it.each([
    ['和 Amy 明天开会', '几点'],
    ['安排下周和 Amy 开会', '哪天'],
    ['帮我安排明天下午三点', '叫什么'],
    ['下周三中午约 Sam 喝咖啡', '几点'],
    ['Schedule a meeting with Bob', 'When should'],
    ['plan a workshop on Friday', 'At what time'],
    ['每周一上午九点开例会', '重复'],
    ['weekly sync every Monday at 9am', 'repeating'],
    ['2月30日下午三点开会', '2月30日'],
    ['schedule a review on Feb 30 at 3pm', 'Feb 30'],
  ])('%s', async (said, answer) => {
    const turn = await hear(said);
    expect(turn.call).toBeNull();
    expect(turn.text).toContain(answer);
  });
});
