import type { Temporal } from 'temporal-polyfill';
import { takeEnPeople, takeZhPeople } from '../slots/people.js';
import { stripEnds, takeGivenTitle } from '../slots/title.js';
import { Draft, GAP } from '../text/draft.js';
import { readTime } from '../time/read-time.js';
import type { When } from '../time/when.js';

/** How a message describes an event that exists. */
export interface Target {
  /** Words of its title, fillers removed; '' when only generic words were said. */
  title: string;
  /** The title stood in quotation marks: it has to be equal. */
  exact: boolean;
  people: string[];
  when: When;
  /** `it`, `那个会`: the event the conversation is about. */
  pronoun: boolean;
  /** A bare `it` or 它, which means what the turn before was about and nothing else. */
  bare: boolean;
  /** A word for any event was said: `the meeting`, 会议. */
  generic: boolean;
}

const ZH_ENDS =
  '请|麻烦|还(?=有)|你?帮我|给我|我们?|把|将|要|想|看看|看一?下?|查一?下?|找一?下?|有没有|有什么|有哪些|有|是|在|取消|删掉|删除|删了|删去|删|去掉|移除|撤销|接受|同意|答应|退出|拒绝|婉拒|谢绝|回绝|推掉|参加|出席|不|分享|共享|修改|更新|改|从|日历[里上中]?|几点|几号|哪几天|星期几|周几|在?哪里|在?哪儿|在哪|有多忙|什么时候|啥时候|何时|哪天|多久|开始|结束|举行|来自|发来|那[个场次]|这[个场次]|一[个场次]|个|场|的?邀请|邀约|有空|空闲|有时间|忙不忙|忙|空(?=$)|所有|全部|了|掉|吧|呢|吗|么|啊|呀|的|和|跟|与|都|一下|安排|日程|行程|的(?:会议?|日程|安排|活动|邀请)(?=$)|,|，|:|：|-|\\s';
const ZH_LEAD = new RegExp(`^(?:${ZH_ENDS})`);
const ZH_TAIL = new RegExp(`(?:${ZH_ENDS})$`);
const EN_ENDS =
  "hey|ok|okay|please|can you|could you|would you|i'?d like to|i want to|i need to|and|then|cancel|delete|remove|drop|call off|get rid of|scrap|move|reschedule|postpone|push(?: back)?|shift|rename|extend|shorten|change|update|delay|bring forward|share|leave|drop out of|withdraw from|accept|decline|reject|turn down|refuse|show(?: me)?|list|find|check|look up|see|when(?:'s| is| are| do i have)?|where(?:'s| is)|what time is|what(?:'s| is| do)?|which|how many|where|when|do|have|do i have|have i got|is there|are there|any(?:thing)?|scheduled|happening|planned|going on|upcoming|the|my|our|your|an?|invitations?(?: to| for| from)?|invites?(?: to| for| from)?|to|for|on|in|at|of|from|with|called|titled|start|starting|again|is|are|me|i|all|event|,|-|\\s";
const EN_LEAD = new RegExp(`^(?:${EN_ENDS})(?=\\s|$|\\uE000)\\s*`, 'i');
const EN_TAIL = new RegExp(`(?:(?<=\\s|^)(?:${EN_ENDS})|[\\s?.!,])$`, 'i');
const PRONOUN =
  /^(?:它|他|她|这|那|这个|那个|这场|那场|此|该|上面的?|刚才(?:的|那个)?|刚刚(?:的|那个)?|刚(?:创建|安排|建|加)的?(?:那个)?|it|this|that|them|those|these|(?:this|that|the|last|latest) one|just created)\s*(?:会议?|日程|安排|活动|meeting|event|one)?$/i;
const GENERIC =
  /^(?:会议?|会面|日程|安排|行程|活动|事情?|事件|约会?|邀请|全部|所有|meetings?|events?|appointments?|calls?|one|calendar|schedule|agenda|day|week|month)?$/i;
const ZH_PRONOUN_EARLY =
  /(?:它|这个|那个|这场|那场|刚才的?|刚刚的?)(?:会议?|日程|安排|活动)?(?=$|[\s\uE000,，。!！的])/;

/** Reads the description of an event out of (part of) a message. */
export function readTarget(message: string, now: Temporal.ZonedDateTime): Target {
  const draft = new Draft(message);
  const han = /\p{Script=Han}/u.test(draft.text);
  const given = takeGivenTitle(draft);
  const when = readTime(draft, now);
  const early = ZH_PRONOUN_EARLY.test(draft.text);
  const { persons, groups } = han ? takeZhPeople(draft) : takeEnPeople(draft);
  const pieces = draft.text
    .split(new RegExp(`[${GAP},，。.;；!！?？\\n]+`))
    .map((piece) =>
      han
        ? stripEnds(stripEnds(piece, ZH_LEAD, ZH_TAIL), EN_LEAD, EN_TAIL)
        : stripEnds(piece, EN_LEAD, EN_TAIL),
    )
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  const named = pieces.filter((piece) => !GENERIC.test(piece) && !PRONOUN.test(piece));
  const title = given ?? named.toSorted((a, b) => b.length - a.length)[0] ?? '';
  return {
    title: title.slice(0, 200),
    exact: given !== null,
    people: [...persons, ...groups].filter((name) => !/^(?:我|我们|me)$/.test(name)),
    when,
    pronoun: title === '' && (early || pieces.some((piece) => PRONOUN.test(piece))),
    bare: title === '' && pieces.some((piece) => /^(?:它|他|她|it)$/i.test(piece)),
    generic: title === '' && pieces.length > 0,
  };
}

/** True when nothing says which event: no title, person, day or time. */
export function isVague(target: Target): boolean {
  const { when } = target;
  return (
    target.title === '' &&
    target.people.length === 0 &&
    !when.days &&
    !when.start &&
    !when.moment &&
    !when.part
  );
}
