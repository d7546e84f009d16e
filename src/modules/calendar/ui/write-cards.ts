import { failureText } from '../../../common/error-reasons.js';
import type { JsonObject } from '../../../common/json.js';
import type { UiContext, UiField, UiHints, UiSection } from '../../../tool-output/ui-hints.js';
import { cardEvent, failuresFirst, numberOf, objectOf, objectsOf, textOf } from './card-event.js';
import { card, eventActions, eventFields, openAction, titleOf, doneText } from './card-parts.js';
import { textsOf } from './card-texts.js';
import { datesShown, timeOfDayText, whenText, zoneText, type CardTimes } from './card-time.js';
import { recurrenceText } from './recurrence-text.js';

/** A created event, with the way back. */
export function createdCard(data: JsonObject, context: UiContext): UiHints {
  const event = cardEvent(data);
  const texts = textsOf(context.locale);
  return card('create', context, {
    title: titleOf(event, context),
    tone: objectsOf(data.conflicts).length > 0 ? 'warning' : 'positive',
    subtitle: texts.created,
    sections: [{ fields: eventFields(event, context) }, ...overlapsSection(data, context)],
    actions: [openAction(event.id, context), ...eventActions(event, context)],
  });
}

/** What a new time overlaps; nothing when it is free. */
function overlapsSection(data: JsonObject, context: UiContext): UiSection[] {
  const conflicts = objectsOf(data.conflicts).map(cardEvent);
  if (conflicts.length === 0) return [];
  const items = conflicts.map((other) => ({
    id: other.id,
    title: titleOf(other, context),
    subtitle: whenText(other, context),
    actions: [openAction(other.id, context)],
  }));
  return [{ heading: textsOf(context.locale).overlaps, items }];
}

/** A batch: what failed with the reason, which must not be overlooked, then what was created. */
export function batchCard(data: JsonObject, context: UiContext): UiHints {
  const texts = textsOf(context.locale);
  const failed = numberOf(data.failed);
  return card('create', context, {
    title: texts.batch(numberOf(data.count), failed),
    tone: failed > 0 ? 'warning' : 'positive',
    sections: [
      {
        items: failuresFirst(objectsOf(data.items)).map((item) => {
          const event = cardEvent(item);
          const reason = failureText(objectOf(item.error), context.locale);
          if (reason)
            return { title: titleOf(event, context), subtitle: reason, badges: [texts.failed] };
          return {
            id: event.id,
            title: titleOf(event, context),
            subtitle: whenText(event, context),
            actions: [openAction(event.id, context)],
          };
        }),
      },
    ],
  });
}

const TIME_FIELDS = ['startAt', 'endAt', 'startDate', 'endDate'] as const;

/** A changed event: what changed, before and after, then what stayed. */
export function updatedCard(data: JsonObject, context: UiContext): UiHints {
  const texts = textsOf(context.locale);
  const event = cardEvent(data);
  const changes = objectsOf(data.changes);
  return card('update', context, {
    title: titleOf(event, context),
    tone: updateTone(data, changes),
    subtitle: changes.length > 0 ? doneText(texts.updated, data, context) : texts.unchanged,
    sections: [
      {
        fields:
          changes.length > 0
            ? [...changedFields(data, changes, context), ...askedAgain(data, context)]
            : eventFields(event, context),
      },
      ...overlapsSection(data, context),
    ],
    actions: [openAction(event.id, context)],
  });
}

function updateTone(data: JsonObject, changes: JsonObject[]): UiHints['tone'] {
  if (objectsOf(data.conflicts).length > 0) return 'warning';
  return changes.length > 0 ? 'positive' : 'neutral';
}

function changeText(change: JsonObject, side: 'before' | 'after', context: UiContext): string {
  const text = textOf(change[side]);
  if (text === undefined) return textsOf(context.locale).none;
  return change.field === 'rrule' ? recurrenceText(text, context.locale) : text;
}

/** Who had accepted and must answer again. */
function askedAgain(data: JsonObject, context: UiContext): UiField[] {
  const names = Array.isArray(data.askedAgain)
    ? data.askedAgain.filter((name) => typeof name === 'string')
    : [];
  const texts = textsOf(context.locale);
  return names.length > 0 ? [{ label: texts.askedAgain, value: names.join(texts.comma) }] : [];
}

function changedFields(data: JsonObject, changes: JsonObject[], context: UiContext): UiField[] {
  const texts = textsOf(context.locale);
  const labels: Record<string, string> = {
    title: texts.title,
    timezone: texts.timezone,
    location: texts.where,
    notes: texts.notes,
    attendees: texts.attendees,
    rrule: texts.repeats,
    reminders: texts.reminders,
  };
  const fields = changes.flatMap((change): UiField[] => {
    const label = labels[textOf(change.field) ?? ''];
    if (!label) return [];
    return [
      {
        label,
        value: changeText(change, 'after', context),
        before: changeText(change, 'before', context),
      },
    ];
  });
  const now = cardEvent(data);
  const earlier: CardTimes = { ...now };
  let moved = false;
  for (const field of TIME_FIELDS) {
    const change = changes.find((candidate) => candidate.field === field);
    if (!change) continue;
    earlier[field] = textOf(change.before);
    moved = true;
  }
  if (!moved) return fields;
  const when = {
    label: texts.when,
    value: movedText(earlier, now, context),
    before: whenText(earlier, context),
  };
  const zone = zoneText(now, now.timezone, context);
  return [when, ...(zone ? [{ label: texts.timezone, value: zone }] : []), ...fields];
}

/** The new time; on the same day only the clock, since the day stands before it already. */
function movedText(earlier: CardTimes, now: CardTimes, context: UiContext): string {
  const [from, to] = [earlier, now].map((times) => datesShown(times, context.timezone));
  const isTimed = Boolean(earlier.startAt && now.startAt);
  const sameDay = from && to && [from.last, to.first, to.last].every((date) => date === from.first);
  return isTimed && sameDay ? timeOfDayText(now, context) : whenText(now, context);
}

export function deletedCard(data: JsonObject, context: UiContext): UiHints {
  const event = cardEvent(data);
  return card('delete', context, {
    title: titleOf(event, context),
    tone: 'neutral',
    subtitle: doneText(textsOf(context.locale).deleted, data, context),
    sections: [{ fields: eventFields(event, context) }],
  });
}
