import type { Temporal } from 'temporal-polyfill';
import type { Draft } from '../text/draft.js';
import { readEnTime } from './read-en.js';
import { readZhTime } from './read-zh.js';
import type { When } from './when.js';

const HAN = /\p{Script=Han}/u;
const EN_TIME_WORD =
  /\b(?:to(?:day|morrow|night)|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|noon|midnight|week|weekend|month|morning|afternoon|evening|at|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

/**
 * Takes what a message says about time out of the draft, in Chinese, English or both
 * (`项目会 tomorrow at 3pm`). Nothing is filled in that was not said.
 */
export function readTime(draft: Draft, now: Temporal.ZonedDateTime): When {
  if (!HAN.test(draft.text)) return readEnTime(draft, now);
  const zh = readZhTime(draft, now);
  if (!EN_TIME_WORD.test(draft.text)) return zh;
  const en = readEnTime(draft, now);
  return {
    days: zh.days ?? en.days,
    start: zh.start ?? en.start,
    end: zh.start ? zh.end : en.end,
    moment: zh.moment ?? en.moment,
    part: zh.part ?? en.part,
    minutes: zh.minutes ?? en.minutes,
    allDay: zh.allDay || en.allDay,
    impossible: zh.impossible,
  };
}
