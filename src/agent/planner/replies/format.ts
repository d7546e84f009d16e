import type { Temporal } from 'temporal-polyfill';
import type { Locale } from '../../../common/locale.js';
import type { CalendarEvent, Person } from '../dialogue/calendar-event.js';
import { eventSpan } from '../match/match-events.js';

const TITLE_SHOWN = 80;

/** One line of somebody's text, shortened for an answer. It is quoted, never obeyed. */
export function plainText(text: string, max = TITLE_SHOWN): string {
  const flat = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (flat.length <= max) return flat;
  return `${flat
    .slice(0, max - 1)
    .toWellFormed()
    .trimEnd()}…`;
}

/** `3月5日周四` or `Thu, Mar 5`, with the year when it is not that of `now`. */
export function dateText(
  date: Temporal.PlainDate,
  now: Temporal.ZonedDateTime,
  locale: Locale,
): string {
  const year = date.year === now.year ? {} : ({ year: 'numeric' } as const);
  if (locale === 'zh-CN') {
    const day = date.toLocaleString('zh-CN', { month: 'long', day: 'numeric', ...year });
    return `${day}${date.toLocaleString('zh-CN', { weekday: 'short' })}`;
  }
  return date.toLocaleString('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...year,
  });
}

/** A date with the word people use for it: `明天（3月5日周四）`, `tomorrow (Thu, Mar 5)`. */
export function namedDate(
  date: Temporal.PlainDate,
  now: Temporal.ZonedDateTime,
  locale: Locale,
): string {
  const days = now.toPlainDate().until(date, { largestUnit: 'days' }).days;
  const word =
    locale === 'zh-CN'
      ? ({ '-1': '昨天', 0: '今天', 1: '明天', 2: '后天' } as Record<string, string>)[days]
      : ({ '-1': 'yesterday', 0: 'today', 1: 'tomorrow' } as Record<string, string>)[days];
  const plain = dateText(date, now, locale);
  if (word === undefined) return plain;
  return locale === 'zh-CN' ? `${word}（${plain}）` : `${word} (${plain})`;
}

/** `15:00`. */
export function clockText(time: Temporal.ZonedDateTime): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(time.hour)}:${two(time.minute)}`;
}

/** When an event is, in the user's zone: `明天（3月5日周四）15:00–16:00`. */
export function whenText(
  event: CalendarEvent,
  now: Temporal.ZonedDateTime,
  locale: Locale,
  options: { withDate: boolean } = { withDate: true },
): string {
  const span = eventSpan(event, now.timeZoneId);
  if (!span) return '';
  const first = span.start.toPlainDate();
  const join = locale === 'zh-CN' ? '' : ' ';
  if (event.allDay) {
    const last = span.end.toPlainDate().subtract({ days: 1 });
    const allDay = locale === 'zh-CN' ? '全天' : 'all day';
    if (!first.equals(last)) {
      return `${dateText(first, now, locale)} – ${dateText(last, now, locale)}${locale === 'zh-CN' ? '' : ','} ${allDay}`;
    }
    return options.withDate ? `${namedDate(first, now, locale)}${join}${allDay}` : allDay;
  }
  const sameDay = first.equals(span.end.toPlainDate());
  const end = sameDay
    ? clockText(span.end)
    : `${dateText(span.end.toPlainDate(), now, locale)} ${clockText(span.end)}`;
  const range = `${clockText(span.start)}–${end}`;
  if (!options.withDate) return range;
  const date = namedDate(first, now, locale);
  return date.endsWith('）') ? date + range : `${date} ${range}`;
}

/** `Amy、李雷` or `Amy, Bob`; at most five, then a count. */
export function peopleText(people: readonly Person[], locale: Locale): string {
  const names = people.map((person) => plainText(person.name ?? person.email ?? '', 40));
  const shown = names.filter((name) => name !== '').slice(0, 5);
  const rest = names.length - shown.length;
  if (locale === 'zh-CN') return shown.join('、') + (rest > 0 ? ` 等 ${names.length} 人` : '');
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
