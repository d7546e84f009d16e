import type { Temporal } from 'temporal-polyfill';
import { Draft } from '../text/draft.js';
import { readTime } from '../time/read-time.js';
import { scheduleOf } from '../time/schedule.js';
import { oneDay, type DaySpan, type When } from '../time/when.js';
import { takeEnPeople, takeZhPeople, type PeopleSaid } from './people.js';
import { takeEnPlace, takeZhPlace, takeZhRoom } from './place.js';
import { takeSeriesEnd } from './recurrence-end.js';
import { takeRecurrence, takeReminder, type Recurrence } from './recurrence.js';
import { enTitle, takeEnTopic, takeGivenTitle, zhTitle } from './title.js';

/** What a message says about a new event; null where it says nothing. */
export interface NewEventSaid {
  title: string | null;
  when: When;
  people: PeopleSaid;
  place: string | null;
  /** The user asked to be reminded, which events do not do. */
  reminder: boolean;
  /** RFC 5545 RRULE of a repeating event. */
  rrule: string | null;
  /** Minutes before the start at which a reminder is wanted. */
  remindBefore: number | null;
}

const HAN = /\p{Script=Han}/u;
const EN_ORDER =
  /^(?:please |can you |could you )?(?:schedule|create|add|book|set ?up|plan|arrange|put|make)\b/i;
const CALENDAR = /\b(?:to|on|in|into)\s+(?:my|the)\s+(?:calendar|schedule|agenda)\b/i;
const REMINDER = /提醒我?|\bremind me\b/i;
/** A title such as 每周例会 names its rhythm and asks for nothing. */
const RHYTHM_IN_TITLE = /每(?:天|日|周|月)的?(?:例会|站会|周会|会议|汇报|报告)/;
const WHOLE_DAY =
  /休假|请假|年假|放假|调休|病假|生日|纪念日|出差|旅游|旅行|度假|\b(?:vacation|holiday|day off|pto|out of office|ooo|birthday|anniversary|(?:sick|annual) leave|business trip)\b/i;

/** Reads a request for a new event. */
export function readNewEvent(message: string, now: Temporal.ZonedDateTime): NewEventSaid {
  const draft = new Draft(message);
  const folded = draft.text;
  const english = !HAN.test(folded) || EN_ORDER.test(folded);
  const given = takeGivenTitle(draft);
  draft.take(CALENDAR);
  const remindBefore = takeReminder(draft);
  const rhythm = RHYTHM_IN_TITLE.test(folded) ? null : takeRecurrence(draft);
  const end = rhythm ? takeSeriesEnd(draft, now) : '';
  const room = takeZhRoom(draft);
  const when = readTime(draft, now);
  if (!when.start && !when.moment && !when.part && WHOLE_DAY.test(folded)) when.allDay = true;
  if (rhythm && !when.days && !when.moment) when.days = firstDay(rhythm, when, now);
  const people = english ? takeEnPeople(draft) : takeZhPeople(draft);
  const topic = english ? takeEnTopic(draft) : null;
  const place = room ?? (english ? takeEnPlace(draft) : takeZhPlace(draft));
  const title = given ?? (english ? enTitle(draft, people, topic) : zhTitle(draft, people));
  return {
    title,
    when,
    people,
    place,
    reminder: remindBefore === null && REMINDER.test(folded),
    rrule: rhythm ? rhythm.rrule + end : null,
    remindBefore,
  };
}

/** How many days ahead the first occurrence is looked for. */
const FIRST_WITHIN = 62;

/** The first day the rule allows whose time is still to come. */
function firstDay(rhythm: Recurrence, when: When, now: Temporal.ZonedDateTime): DaySpan {
  const today = now.toPlainDate();
  for (let ahead = 0; ahead <= FIRST_WITHIN; ahead += 1) {
    const days = oneDay(today.add({ days: ahead }));
    if (!rhythm.startsOn(days.first)) continue;
    const schedule = scheduleOf({ ...when, days }, now);
    const past =
      schedule.kind === 'timed' && schedule.start.epochMilliseconds < now.epochMilliseconds;
    if (!past) return days;
  }
  return oneDay(today);
}
