import type { JsonObject } from '../../../common/json.js';
import {
  UI_HINTS_VERSION,
  type UiAction,
  type UiContext,
  type UiField,
  type UiHints,
} from '../../../tool-output/ui-hints.js';
import { textOf, type CardEvent } from './card-event.js';
import { textsOf } from './card-texts.js';
import { whenText, zoneText } from './card-time.js';
import { recurrenceText } from './recurrence-text.js';
import { remindersText } from './reminders-text.js';

/** What every card of the calendar has in common. */
export function card(
  method: string,
  context: UiContext,
  content: Omit<UiHints, 'version' | 'template' | 'locale' | 'timezone'>,
): UiHints {
  return {
    version: UI_HINTS_VERSION,
    template: `calendar.${method}`,
    locale: context.locale,
    timezone: context.timezone,
    ...content,
  };
}

/** `已删除日程 · 仅此次`: what was done, and to how much of a series. */
export function doneText(done: string, data: JsonObject, context: UiContext): string {
  const scope = textsOf(context.locale).scope[textOf(data.scope) ?? ''];
  return scope ? `${done} · ${scope}` : done;
}

/** The title of an event, which older records may lack. */
export function titleOf(event: CardEvent, context: UiContext): string {
  return event.title || textsOf(context.locale).untitled;
}

/** A button that calls `calendar.method`. */
export function button(
  label: string,
  style: UiAction['style'],
  method: string,
  input: JsonObject,
): UiAction {
  return { label, style, module: 'calendar', method, input };
}

/** The labelled facts of an event, those that it has. */
export function eventFields(event: CardEvent, context: UiContext): UiField[] {
  const texts = textsOf(context.locale);
  const when = whenText(event, context);
  const zone = zoneText(event, event.timezone, context);
  return [
    ...(when ? [{ label: texts.when, value: when }] : []),
    ...(zone ? [{ label: texts.timezone, value: zone }] : []),
    ...(event.rrule
      ? [{ label: texts.repeats, value: recurrenceText(event.rrule, context.locale) }]
      : []),
    ...(event.location ? [{ label: texts.where, value: event.location }] : []),
    ...(event.organizer && event.role !== 'owner'
      ? [{ label: texts.organizer, value: event.organizer }]
      : []),
    ...(event.attendees.length > 0
      ? [{ label: texts.attendees, value: attendeesText(event, context) }]
      : []),
    ...(event.reminders.length > 0
      ? [{ label: texts.reminders, value: remindersText(event.reminders, context.locale) }]
      : []),
    ...(event.notes ? [{ label: texts.notes, value: event.notes }] : []),
  ];
}

/** `Amy (accepted), Bob`. */
export function attendeesText(event: CardEvent, context: UiContext): string {
  const texts = textsOf(context.locale);
  return event.attendees
    .map(({ name, status }) => {
      const answer = status === undefined ? undefined : texts.status[status];
      if (!answer) return name;
      return context.locale === 'zh-CN' ? `${name}（${answer}）` : `${name} (${answer})`;
    })
    .join(texts.comma);
}

/** What the reader may do with the event; the router asks again when a button is pressed. */
export function eventActions(event: CardEvent, context: UiContext): UiAction[] {
  const texts = textsOf(context.locale);
  const input = { event_id: event.id };
  switch (event.myStatus) {
    case 'owner':
      return [button(texts.delete, 'danger', 'delete', input)];
    case 'pending':
      return answerActions(event.id, context);
    case 'accepted':
      return [button(texts.leave, 'secondary', 'reject_invite', input)];
    case 'rejected':
      return [button(texts.acceptAgain, 'secondary', 'accept_invite', input)];
    default:
      return [];
  }
}

export function answerActions(eventId: string, context: UiContext): UiAction[] {
  const texts = textsOf(context.locale);
  const input = { event_id: eventId };
  return [
    button(texts.accept, 'primary', 'accept_invite', input),
    button(texts.reject, 'secondary', 'reject_invite', input),
  ];
}

export function openAction(eventId: string, context: UiContext): UiAction {
  const input = { mode: 'event', event_id: eventId };
  return button(textsOf(context.locale).open, 'secondary', 'read', input);
}
