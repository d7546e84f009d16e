import { dayText } from '../../../common/day-text.js';
import { StewardError } from '../../../common/steward-error.js';
import type { UiContext } from '../../../tool-output/ui-hints.js';
import type { EventSummaryView, EventView } from '../dto/event-view.dto.js';
import type { CreateEventsInput, UpdateEventInput } from '../dto/event-input.dto.js';
import type { Scope } from '../dto/recurrence-fields.js';
import type { ShareEventInput } from '../dto/share-input.dto.js';
import {
  changedSchedule,
  newSchedule,
  type Schedule,
  type ScheduleInput,
} from '../rules/schedule.js';
import { seenFrom } from '../rules/placing.js';
import { textsOf } from './card-texts.js';
import { momentText, whenText, type CardTimes } from './card-time.js';
import { recurrenceText } from './recurrence-text.js';

const SCOPES: Readonly<Record<Scope, readonly [zh: string, en: string]>> = {
  this: ['仅此一次', 'this occurrence only'],
  this_and_following: ['这次及以后', 'this and all later ones'],
  all: ['整个系列', 'the whole series'],
};

/** What moves an event; a zone alone does not. */
const TIME_FIELDS = [
  'start_at',
  'end_at',
  'duration_minutes',
  'all_day',
  'start_date',
  'end_date',
] as const;

/** Title and time of what a call would touch: `项目会（2026年12月2日 星期三 15:00–16:00）`. Pure. */
export function eventText(
  event: EventSummaryView & { scope?: Scope | undefined },
  context: UiContext,
): string {
  const scope = event.scope && SCOPES[event.scope][context.locale === 'zh-CN' ? 0 : 1];
  return titled(event.title, [whenText(event, context), scope ?? ''], context);
}

/**
 * The events that a call would create: title, time and how they repeat, as `eventText` says them. One of a
 * list whose times make no event is named by its title, since the others are created without it. Pure.
 * @throws StewardError INVALID_ACTION_INPUT for times that make no event, when there is no other.
 */
export function createText({ events, ...one }: CreateEventsInput, context: UiContext): string {
  if (!events) return draftText(one, context);
  return events
    .map((draft) => attempt(() => draftText(draft, context)) ?? draft.title)
    .join(textsOf(context.locale).comma);
}

function draftText(draft: ScheduleInput & { title?: string; rrule?: string }, context: UiContext) {
  const times = timesOf(newSchedule(draft, context.timezone), context);
  const facts = [whenText(times, context), repeatText(draft.rrule, context)];
  return titled(draft.title ?? '', facts, context);
}

/**
 * What a call would change, as far as a person reads it: title, time, place and how it repeats. Pure.
 * @param event as it is before, in the person's zone.
 */
export function changeText(input: UpdateEventInput, event: EventView, context: UiContext): string {
  const { title, location, rrule } = input;
  const values = [title, movedText(input, event, context), location, repeatText(rrule, context)];
  const told = values.filter(Boolean);
  return told.length > 0 ? ` → ${told.join(textsOf(context.locale).comma)}` : '';
}

/** When it would be; what is given alone where the event, which may be one of a series, does not bear it. */
function movedText(input: UpdateEventInput, event: EventView, context: UiContext): string {
  if (TIME_FIELDS.every((field) => input[field] === undefined)) return '';
  const moved = attempt(() => timesOf(changedSchedule(scheduleOf(event), input), context));
  if (moved) return whenText(moved, context);
  const { start_at, end_at, start_date, end_date } = input;
  const days = [start_date, end_date].flatMap((date) => (date ? [dayText(date, context)] : []));
  const moments = [start_at, end_at].flatMap((at) => (at ? [momentText(at, context)] : []));
  return [...days, ...moments].join(' – ');
}

function repeatText(rrule: string | undefined, { locale }: UiContext): string {
  if (rrule === undefined) return '';
  if (rrule.trim() === '') return locale === 'zh-CN' ? '不再重复' : 'repeats no more';
  return recurrenceText(rrule, locale);
}

function titled(title: string, facts: string[], { locale }: UiContext): string {
  const told = facts.filter(Boolean);
  return locale === 'zh-CN' ? `${title}（${told.join('，')}）` : `${title} (${told.join(', ')})`;
}

function timesOf(planned: Schedule, { timezone }: UiContext): CardTimes {
  const schedule = seenFrom(planned, timezone);
  if (schedule.allDay) return { startDate: schedule.startDate, endDate: schedule.endDate };
  return { startAt: schedule.startAt.toISOString(), endAt: schedule.endAt.toISOString() };
}

function scheduleOf({ startAt, endAt, startDate, endDate, ...event }: EventView): Schedule {
  const { timezone, floating } = event;
  return event.allDay
    ? { allDay: true, startDate: startDate ?? '', endDate: endDate ?? '', timezone }
    : {
        allDay: false,
        startAt: new Date(startAt ?? ''),
        endAt: new Date(endAt ?? ''),
        timezone,
        ...(floating && { floating }),
      };
}

/** Null for what the input does not make; its own faults are told by the call itself. */
function attempt<T>(make: () => T): T | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof StewardError) return null;
    throw error;
  }
}

/** With whom a call would share. Pure. */
export function shareText({ with: people }: ShareEventInput): string {
  const names = people.map(({ email, permission }) =>
    permission === undefined ? email : `${email} (${permission})`,
  );
  return ` → ${names.join(', ')}`;
}
