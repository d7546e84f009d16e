import type { JsonObject } from '../../../common/json.js';

/** What was said, turn by turn, and the call that the last of it leads to. */
export type FurtherSentence = [said: string[], call: string, input: JsonObject];

/** People, lists and reminders; `furtherModules` answers. */
export const FURTHER_SENTENCES: readonly FurtherSentence[] = [
  [['有重复的联系人吗'], 'contacts.read', { mode: 'duplicates' }],
  [['are there duplicate contacts?'], 'contacts.read', { mode: 'duplicates' }],
  [['合并两个 Amy', '是'], 'contacts.merge', { contact_id: 'con_1', other_ids: ['con_2'] }],
  [['merge the two Amys', 'yes'], 'contacts.merge', { contact_id: 'con_1', other_ids: ['con_2'] }],
  [
    ['merge the two Amys', 'merge the first one into the second'],
    'contacts.merge',
    { contact_id: 'con_2', other_ids: ['con_1'] },
  ],
  [
    ["what is Amy's phone number?", 'merge the second one into the first'],
    'contacts.merge',
    { contact_id: 'con_1', other_ids: ['con_2'], expected_version: 1 },
  ],
  [
    ['有重复的联系人吗', '把第二个并到第一个'],
    'contacts.merge',
    { contact_id: 'con_1', other_ids: ['con_2'] },
  ],
  [['把 Bob 合并到 Sam'], 'contacts.merge', { contact_id: 'con_sam', other_ids: ['con_bob'] }],
  [['merge Bob into Sam'], 'contacts.merge', { contact_id: 'con_sam', other_ids: ['con_bob'] }],
  [
    ['把 Amy 的电话改成 13900139000', '第二个'],
    'contacts.update',
    { contact_id: 'con_2', phones: ['13900139000'] },
  ],
  [
    ["change Amy's phone to 13900139000", 'the second one'],
    'contacts.update',
    { contact_id: 'con_2', phones: ['13900139000'] },
  ],
  [['delete Amy from my contacts', 'Amy Wu'], 'contacts.delete', { contact_id: 'con_2' }],
  [
    ['add soy to my allergies'],
    'memory.update',
    { operation: 'append', key: 'allergies', text: 'soy', source: 'user_said' },
  ],
  [
    ['把牛奶加到我的过敏里'],
    'memory.update',
    { operation: 'append', key: 'allergies', text: '牛奶' },
  ],
  [
    ['把牛奶从过敏里去掉'],
    'memory.update',
    { operation: 'remove', key: 'allergies', text: '牛奶' },
  ],
  [
    ['remove soy from my allergies'],
    'memory.update',
    { operation: 'remove', key: 'allergies', text: 'soy' },
  ],
  [
    ['从购物清单里去掉鸡蛋'],
    'memory.update',
    { operation: 'remove', key: 'shopping_list', text: '鸡蛋' },
  ],
  [
    ['put eggs on the shopping list'],
    'memory.update',
    { operation: 'append', key: 'shopping_list', text: 'eggs' },
  ],
  [['forget everything', 'yes'], 'memory.forget', { key: 'allergies', confirm: 'ok' }],
  [['忘掉所有事', '是'], 'memory.forget', { key: 'allergies', confirm: 'ok' }],
  [['forget everything'], 'memory.read', { mode: 'list' }],
  [['forget everything', 'no'], 'memory.read', { mode: 'list' }],
  [
    ['share the dentist with Bob'],
    'calendar.share',
    { event_id: 'evt_2', with: [{ email: 'bob@example.com', permission: 'view' }] },
  ],
  [
    ['把季度总结会分享给 Bob'],
    'calendar.share',
    { event_id: 'evt_1', with: [{ email: 'bob@example.com', permission: 'view' }] },
  ],
  [
    ['share the dentist with Amy', 'the second one'],
    'calendar.share',
    { with: [{ email: 'wu@example.com', permission: 'view' }] },
  ],
  [
    ['把季度总结会分享给 Zoe', 'zoe@example.com'],
    'calendar.share',
    { with: [{ email: 'zoe@example.com', permission: 'view' }] },
  ],
  [
    ['季度总结会是什么时候', '提前十分钟提醒我'],
    'calendar.update',
    { event_id: 'evt_1', reminders: [{ minutes_before: 10 }] },
  ],
  [
    ['remind me 10 minutes before the dentist'],
    'calendar.update',
    { event_id: 'evt_2', reminders: [{ minutes_before: 10 }] },
  ],
  [
    ['when is the dentist', 'remind me half an hour before'],
    'calendar.update',
    { event_id: 'evt_2', reminders: [{ minutes_before: 30 }] },
  ],
];

/** How much of a series: the standup of every weekday, evt_s, next on 5 March. */
export const SCOPE_SENTENCES: readonly FurtherSentence[] = [
  [
    ['把晨会改到十点', '只改这一次'],
    'calendar.update',
    { event_id: 'evt_s~1', scope: 'this', start_at: '2026-03-05T10:00:00+08:00' },
  ],
  [
    ['把晨会改到十点', '以后都改'],
    'calendar.update',
    { event_id: 'evt_s~1', scope: 'this_and_following' },
  ],
  [['把晨会改到十点', '全部'], 'calendar.update', { event_id: 'evt_s~1', scope: 'all' }],
  [['晨会以后都改到十点'], 'calendar.update', { event_id: 'evt_s~1', scope: 'this_and_following' }],
  [
    ['move the 晨会 to 10', 'only this one'],
    'calendar.update',
    { event_id: 'evt_s~1', scope: 'this' },
  ],
  [
    ['move the 晨会 to 10 from now on'],
    'calendar.update',
    { event_id: 'evt_s~1', scope: 'this_and_following' },
  ],
  [
    ['move the 晨会 to 10', 'all of them'],
    'calendar.update',
    { event_id: 'evt_s~1', scope: 'all' },
  ],
  [
    ['把明天的晨会改到十点', '以后都改到四点'],
    'calendar.update',
    { event_id: 'evt_s~1', scope: 'this_and_following', start_at: '2026-03-05T16:00:00+08:00' },
  ],
  [
    ['把明天的晨会改到十点', '全部'],
    'calendar.update',
    { event_id: 'evt_s~1', scope: 'all', start_at: '2026-03-05T10:00:00+08:00' },
  ],
  [['把明天的晨会改到十点', '第二个'], 'calendar.update', { event_id: 'evt_s~1' }],
  [['取消晨会', '只取消这一次'], 'calendar.delete', { event_id: 'evt_s~1', scope: 'this' }],
  [['取消晨会', '全部'], 'calendar.delete', { event_id: 'evt_s~1', scope: 'all' }],
  [['取消晨会', '周五那次'], 'calendar.delete', { event_id: 'evt_s~2', scope: 'this' }],
  [
    ['cancel the 晨会 from now on', 'yes'],
    'calendar.delete',
    { event_id: 'evt_s~1', scope: 'this_and_following' },
  ],
  [['取消明天的晨会'], 'calendar.delete', { event_id: 'evt_s~1' }],
];
