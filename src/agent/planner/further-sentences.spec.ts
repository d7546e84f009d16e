import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../common/json.js';
import { fakeModules } from './testing/fake-modules.js';
import { talk } from './testing/talk.js';

describe('further sentences', () => {
  it.each<[string, string, JsonObject]>([
    [
      '每周一上午九点开例行会，共 10 次',
      'calendar.create',
      { rrule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=10' },
    ],
    ['每天晚上八点跑步，直到6月底', 'calendar.create', { rrule: 'FREQ=DAILY;UNTIL=20260630' }],
    [
      'team sync every Monday at 10am until June',
      'calendar.create',
      { rrule: 'FREQ=WEEKLY;BYDAY=MO;UNTIL=20260531' },
    ],
    [
      'schedule a retro every other Friday at 4pm, 6 times',
      'calendar.create',
      { rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;COUNT=6' },
    ],
    ['Amy 是谁', 'contacts.read', { mode: 'resolve', query: 'Amy' }],
    ['who is Amy?', 'contacts.read', { mode: 'resolve', query: 'Amy' }],
  ])('%s', async (said, call, input) => {
    const tool = fakeModules();
    let last = '';
    const [talked] = await talk([said], (method, given, module) => {
      last = `${module}.${method}`;
      return tool(method, given, module);
    });
    expect(last).toBe(call);
    expect(talked?.calls.at(-1)?.input).toMatchObject(input);
  });

  it.each([
    ['明天下午三点和 Amy 开项目会', '冲突：牙医。'],
    ['schedule a call with Sam tomorrow at 3pm', 'overlaps with 牙医.'],
  ])('says what the new event overlaps: %s', async (said, words) => {
    const tool = fakeModules();
    const [talked] = await talk(
      [said],
      (method, given, module) => {
        const result = tool(method, given, module);
        return method === 'create' ? { ...result, conflicts: [{ title: '牙医' }] } : result;
      },
      { locale: /\p{Script=Han}/u.test(said) ? 'zh-CN' : 'en' },
    );
    expect(talked?.answer).toContain(words);
  });
});
