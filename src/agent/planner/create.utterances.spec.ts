import { describe, expect, it } from '@jest/globals';
import { EN_CREATE_CASES } from './testing/create-cases-en.js';
import { ZH_CREATE_CASES } from './testing/create-cases-zh.js';
import { hear } from './testing/talk.js';

describe('requests for a new event', () => {
  it.each([...ZH_CREATE_CASES, ...EN_CREATE_CASES])(
    '%s',
    async (said, title, start, end, ...more) => {
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
    },
  );
});

describe('what is missing is asked for', () => {
  it.each([
    ['和 Amy 明天开会', '几点'],
    ['安排下周和 Amy 开会', '哪天'],
    ['帮我安排明天下午三点', '叫什么'],
    ['下周三中午约 Sam 喝咖啡', '几点'],
    ['Schedule a meeting with Bob', 'When should'],
    ['plan a workshop on Friday', 'At what time'],
    ['2月30日下午三点开会', '2月30日'],
    ['schedule a review on Feb 30 at 3pm', 'Feb 30'],
  ])('%s', async (said, answer) => {
    const turn = await hear(said);
    expect(turn.call).toBeNull();
    expect(turn.text).toContain(answer);
  });
});
