import type { CalendarEvent } from '../dialogue/calendar-event.js';
import { companyOf } from '../match/company.js';
import type { Target } from '../match/target.js';
import type { PlanContext } from '../move.js';
import type { When } from '../time/when.js';
import { dateText, namedDate, peopleText, plainText, whenText } from './format.js';
import type { EventWords } from './phrases.js';

/** An event in words of the context's language and zone. */
export function eventWords(
  event: CalendarEvent,
  context: PlanContext,
  options: { withDate: boolean } = { withDate: true },
): EventWords {
  const title = event.title.toLowerCase();
  const unnamed = companyOf(event).filter(
    ({ name, email }) => !title.includes((name ?? email ?? '').toLowerCase()),
  );
  return {
    title: plainText(event.title),
    when: whenText(event, context.now, context.locale, options),
    people: peopleText(unnamed, context.locale),
    place: plainText(event.location ?? '', 60),
  };
}

/** A list of events, one a line. */
export function eventLines(
  events: readonly CalendarEvent[],
  context: PlanContext,
  options: { withDate: boolean; numbered?: boolean },
): string {
  return events
    .map((event, index) => {
      const line = context.phrases.line(eventWords(event, context, options));
      return `${options.numbered ? `${index + 1}.` : '-'} ${line}`;
    })
    .join('\n');
}

/** The period a message asks about, as an adverb: `明天（3月5日周四）`, `on Fri, Mar 6`. */
export function periodWords(when: When, context: PlanContext): string {
  const { now, locale, phrases } = context;
  const zh = locale === 'zh-CN';
  const days =
    when.days ??
    (when.part || when.start ? { first: now.toPlainDate(), last: now.toPlainDate() } : null);
  if (!days) return phrases.comingDays;
  if (!days.first.equals(days.last)) {
    const first = dateText(days.first, now, locale);
    const last = dateText(days.last, now, locale);
    return zh ? `${first}到${last}` : `from ${first} to ${last}`;
  }
  const named = namedDate(days.first, now, locale);
  if (!zh) {
    const clock = when.start ? `at ${wallText(when.start)} ` : '';
    const part = clock || (when.part ? `in the ${when.part} ` : '');
    return named.includes('(') ? `${part}${named}` : `${part}on ${named}`;
  }
  if (when.start) return named + wallText(when.start);
  return named + (when.part ? PART_ZH[when.part] : '');
}

/** `15:00`. */
function wallText({ hour, minute }: { hour: number; minute: number }): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

const PART_ZH = {
  night: '凌晨',
  morning: '上午',
  noon: '中午',
  afternoon: '下午',
  evening: '晚上',
};

/** What a description asks for: `名为「项目会」、和 Amy`, `named "budget" with Amy`; '' for nothing. */
export function wantedWords(target: Target, context: PlanContext): string {
  const zh = context.locale === 'zh-CN';
  const title = plainText(target.title, 60);
  const people = plainText(
    peopleText(
      target.people.map((name) => ({ name })),
      context.locale,
    ),
    60,
  );
  const parts = zh
    ? [title && `名为「${title}」`, people && `和 ${people} `]
    : [title && `named "${title}"`, people && `with ${people}`];
  return parts.filter(Boolean).join(zh ? '、' : ' ');
}
