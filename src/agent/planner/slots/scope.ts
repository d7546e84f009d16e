import { fold } from '../text/fold.js';

/** How much of a series a change is for, as the calendar takes it. */
export type Scope = 'this' | 'this_and_following' | 'all';

/** The scope, null when none is said, and the other words. */
export interface ScopeSaid {
  scope: Scope | null;
  rest: string;
}

const FORMS: ReadonlyArray<{ scope: Scope; pattern: RegExp }> = [
  {
    scope: 'this_and_following',
    pattern:
      /从(?:现在|今天|今后|这次|这一次|本次|这里|那次|那一次|它)(?:往后|以后)?(?:起|开始)?(?:都|全都)?|(?:这次|这一次|本次)(?:及|和|以及)?(?:之后|以后|往后)(?:的?(?:每次|所有))?(?:都|全都)?|(?<![时钟天周月年分]|小时|分钟)(?:以后|今后|往后|之后)的?(?:每次|每一次)?(?:都|全都|全部)|^(?:以后|今后|往后)的?(?:都|全都|全部)?(?=[改挪移换调]|[\s\p{P}]*$)|\bfrom (?:now|then|this(?: one| time)?|that(?: one)?|here)\s*(?:on(?:wards?)?|forward)\b|\bthis (?:one )?and (?:all )?(?:the )?(?:following|future|later|next)(?: ones| occurrences)?\b|\ball (?:the )?(?:future|following|later) (?:ones|occurrences|times)\b|\bgoing forward\b/iu,
  },
  {
    scope: 'this',
    pattern:
      /(?:只|就|仅)(?:是|改|取消|删除?|挪|动|要)?(?:这|那|本|下)一?(?:次|个|场|回|天)(?:就好|就行|而已)?|\b(?:just|only) (?:for )?(?:this|that|the next|the first) (?:one|time|occurrence|instance)?|\b(?:this|that) (?:one|time|occurrence) only\b|\bjust once\b/iu,
  },
  {
    scope: 'all',
    pattern:
      /整个系列|(?:所有|全部)的?(?:每次|次数|重复)?都?(?=改|挪|移|换|调|推|提前|取消|删|[\s\p{P}]*$)|每一?次都?(?=改|挪|移|换|调|推|提前|取消|删|[\s\p{P}]*$)|^都(?=改|挪|移|换|调|推|提前|取消|删)|\ball of (?:them|it)\b|\b(?:every|each) (?:one|time|single one|occurrence)(?: of them)?\b|\ball (?:the )?(?:occurrences|times)\b|\b(?:the )?(?:whole|entire) series\b|^all[\s.!]*$/iu,
  },
];
/** What the words of a scope say besides: 只改这一次 still asks for a change. */
const VERB = /改|取消|删除?|挪/u;

/** Reads and takes out how much of a series is meant. */
export function readScope(message: string): ScopeSaid {
  const folded = fold(message);
  for (const { scope, pattern } of FORMS) {
    const match = pattern.exec(folded);
    if (!match) continue;
    const verb = VERB.exec(match[0])?.[0] ?? '';
    const before = message.slice(0, match.index);
    const after = message.slice(match.index + match[0].length);
    const rest = `${before}${verb}${after}`.replace(/^[\s,，]+|[\s,，]+$/gu, '').trim();
    return { scope, rest };
  }
  return { scope: null, rest: message };
}
