import type { Temporal } from 'temporal-polyfill';
import type { JsonObject } from '../../../common/json.js';
import type { CalendarEvent, Person } from '../dialogue/calendar-event.js';
import type { Turn } from '../dialogue/conversation.js';
import { errorCode, eventsOf } from '../dialogue/tool-step.js';
import { distinct } from '../match/company.js';
import { eventSpan } from '../match/match-events.js';
import { ask, callCalendar, say, type Move, type PlanContext } from '../move.js';
import { eventWords } from '../replies/event-words.js';
import { plainText } from '../replies/format.js';
import { modulePhrasesOf } from '../replies/module-phrases.js';
import { readChange, type Change } from '../slots/change.js';
import { readScope, type Scope } from '../slots/scope.js';
import { attendee } from '../slots/people.js';
import { endAfter } from '../time/half-of-day.js';
import type { When } from '../time/when.js';
import { atWallTime, isoWithOffset } from '../time/zone.js';
import { answerFailure } from './outcome.js';
import { withOneEvent } from './on-event.js';

/** Changes the one event that is meant; its length stays unless another was said. */
export function planUpdate(
  text: string,
  turn: Turn,
  context: PlanContext,
  chosen: CalendarEvent | null,
  replied: Scope | null,
): Move {
  const { phrases, now } = context;
  const said = readScope(text);
  const scope = replied ?? said.scope;
  const { target, change } = readChange(said.rest, now);
  if (change?.kind === 'when' && change.when.impossible !== null) {
    return say(phrases.impossibleDate(change.when.impossible));
  }
  const request = { action: 'update', description: target, chosen, scope } as const;
  return withOneEvent(request, turn, context, (event) => {
    const title = plainText(event.title);
    if (scope === 'this' && event.repeats) {
      return ask(modulePhrasesOf(context.locale).askOccurrence(title), { about: 'target' });
    }
    if (!change) return ask(phrases.askChange(title), { about: 'change', event });
    const updates = turn.steps.filter((step) => step.method === 'update');
    const last = updates.at(-1);
    const fields = changedFields(change, event, now);
    if (!fields) return say(phrases.cannotChange(title));
    if (!last) return callCalendar('update', updateInput(event, fields, scope));
    if (errorCode(last) === 'CONFLICT' && updates.length === 1)
      return again(event, change, scope, turn, now);
    const [updated] = eventsOf(last);
    const failure = answerFailure(last, context);
    if (failure) return failure;
    return updated ? report(updated, change, event, scope, context) : say(phrases.unreadable);
  });
}

function report(
  updated: CalendarEvent,
  change: Change,
  event: CalendarEvent,
  scope: Scope | null,
  context: PlanContext,
): Move {
  const more = modulePhrasesOf(context.locale);
  const notes = [context.phrases.updated(eventWords(updated, context))];
  if (change.kind === 'reminder') notes.push(more.reminderKept(change.minutes));
  if (event.seriesId !== undefined && scope) notes.push(more.scopeDone(scope));
  const text = (): string => notes.join(context.locale === 'zh-CN' ? '' : ' ');
  if (event.seriesId === undefined || scope) return say(text());
  notes.push(more.onlyThis);
  return ask(text(), { about: 'scope', event, candidates: [] });
}

/** The version of a whole series is another than the one an occurrence may have. */
function updateInput(event: CalendarEvent, fields: JsonObject, scope: Scope | null): JsonObject {
  const occurrence = event.seriesId !== undefined;
  const whole = occurrence && (scope === 'all' || scope === 'this_and_following');
  return {
    event_id: event.id,
    ...fields,
    ...(occurrence && scope && { scope }),
    ...(event.version !== undefined && !whole && { expected_version: event.version }),
  };
}

/** Someone else changed the event meanwhile: look at it again and try once more. */
function again(
  event: CalendarEvent,
  change: Change,
  scope: Scope | null,
  turn: Turn,
  now: Temporal.ZonedDateTime,
): Move {
  const failed = turn.steps.findLastIndex((step) => step.method === 'update');
  const read = turn.steps.slice(failed + 1).findLast((step) => step.method === 'read');
  if (!read) return callCalendar('read', { mode: 'event', event_id: event.id });
  const current = eventsOf(read).find((other) => other.id === event.id) ?? event;
  return callCalendar(
    'update',
    updateInput(current, changedFields(change, current, now) ?? {}, scope),
  );
}

/** The input members a change comes to; null when the event has no time to change. */
function changedFields(
  change: Change,
  event: CalendarEvent,
  now: Temporal.ZonedDateTime,
): JsonObject | null {
  const span = eventSpan(event, now.timeZoneId);
  switch (change.kind) {
    case 'title':
      return { title: change.title };
    case 'place':
      return { location: change.place };
    case 'people': {
      const added: Person[] = change.people.map(attendee);
      const people = distinct([...event.attendees, ...added]);
      return { attendees: people.map(mentioned) };
    }
    case 'reminder': {
      const known = (event.reminders ?? []).flatMap(({ minutesBefore, method }) =>
        typeof minutesBefore === 'number' && minutesBefore !== change.minutes
          ? [{ minutes_before: minutesBefore, ...(typeof method === 'string' && { method }) }]
          : [],
      );
      return { reminders: [...known, { minutes_before: change.minutes }] };
    }
    case 'shift': {
      if (!span) return null;
      if (event.allDay) return change.minutes === 0 ? movedDays(span, change.days) : null;
      const by = { days: change.days, minutes: change.minutes };
      return timedFields(span.start.add(by), span.end.add(by));
    }
    case 'stretch': {
      if (!span || event.allDay) return null;
      const end = span.end.add({ minutes: change.minutes });
      if (end.epochNanoseconds <= span.start.epochNanoseconds) return null;
      return timedFields(span.start, end);
    }
    case 'when': {
      const fields = span && movedFields(change.when, span, event.allDay, now);
      return fields && { ...fields, ...(change.place !== null && { location: change.place }) };
    }
  }
}

function mentioned({ name, email }: Person): JsonObject {
  return { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
}

interface Span {
  start: Temporal.ZonedDateTime;
  end: Temporal.ZonedDateTime;
}

/** A new day keeps the time, a new time keeps the day, both keep the length. */
function movedFields(
  when: When,
  span: Span,
  wasAllDay: boolean,
  now: Temporal.ZonedDateTime,
): JsonObject | null {
  const zone = now.timeZoneId;
  const date = when.days?.first ?? span.start.toPlainDate();
  const minutes = wasAllDay ? 60 : Math.round(span.start.until(span.end).total('minutes'));
  const length = when.minutes ?? minutes;
  if (when.moment) return timedFields(when.moment, when.moment.add({ minutes: length }), wasAllDay);
  if (when.allDay) {
    const last = when.days?.last ?? date;
    return { all_day: true, start_date: date.toString(), end_date: last.toString() };
  }
  if (when.start) {
    const start = atWallTime(date, when.start, zone);
    const end = when.end ? atWallTime(date, when.end, zone) : start.add({ minutes: length });
    return timedFields(start, end, wasAllDay);
  }
  if (when.days && !when.days.first.equals(when.days.last) && !wasAllDay) return null;
  if (when.days && wasAllDay) {
    const days = span.start.toPlainDate().until(date, { largestUnit: 'days' }).days;
    return movedDays(span, days);
  }
  const { hour, minute } = span.start;
  const start = when.days ? atWallTime(date, { hour, minute }, zone) : span.start;
  if (when.end) {
    const from = { hour, minute, certain: true, dayShift: 0 };
    return timedFields(start, atWallTime(date, endAfter(from, when.end), zone));
  }
  if (!when.days && when.minutes === null) return null;
  return wasAllDay ? null : timedFields(start, start.add({ minutes: length }));
}

function movedDays(span: Span, days: number): JsonObject {
  const first = span.start.toPlainDate().add({ days });
  const last = span.end.toPlainDate().subtract({ days: 1 }).add({ days });
  return { start_date: first.toString(), end_date: last.toString() };
}

function timedFields(
  start: Temporal.ZonedDateTime,
  end: Temporal.ZonedDateTime,
  wasAllDay = false,
): JsonObject {
  return {
    ...(wasAllDay && { all_day: false }),
    start_at: isoWithOffset(start),
    end_at: isoWithOffset(end),
  };
}
