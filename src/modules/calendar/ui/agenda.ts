import { dayText } from '../../../common/day-text.js';
import type { JsonObject } from '../../../common/json.js';
import { afterRows } from '../../../common/page-skip.js';
import {
  CARD_ROWS,
  type UiAction,
  type UiContext,
  type UiHints,
  type UiItem,
  type UiSection,
} from '../../../tool-output/ui-hints.js';
import { cardEvent, objectOf, objectsOf, textOf, type CardEvent } from './card-event.js';
import {
  answerActions,
  button,
  card,
  eventActions,
  eventFields,
  openAction,
  titleOf,
} from './card-parts.js';
import { textsOf } from './card-texts.js';
import { datesShown, timeOfDayText } from './card-time.js';

/** The card of one event that was read. */
export function eventCard(data: JsonObject, context: UiContext): UiHints {
  const event = cardEvent(objectsOf(data.items)[0] ?? {});
  const texts = textsOf(context.locale);
  const invited = event.myStatus === 'pending';
  return card('read', context, {
    title: titleOf(event, context),
    tone: 'neutral',
    subtitle: invited
      ? event.organizer
        ? texts.invitedBy(event.organizer)
        : texts.invitation
      : texts.event,
    sections: [{ fields: eventFields(event, context) }],
    actions: eventActions(event, context),
  });
}

/** A page of events, one section a day of the zone that was asked for. */
export function agendaCard(data: JsonObject, input: JsonObject, context: UiContext): UiHints {
  const texts = textsOf(context.locale);
  // The days are those of the zone that was read, which the input may have named.
  const zone = { ...context, timezone: textOf(data.timezone) ?? context.timezone };
  const range = objectOf(data.range);
  const from = textOf(range.from);
  const to = textOf(range.to) ?? from;
  const events = objectsOf(data.items).map(cardEvent);
  return card('read', zone, {
    title: texts.agenda,
    tone: 'neutral',
    ...(from && to ? { subtitle: rangeText(from, to, zone, context) } : {}),
    sections: daySections(events.slice(0, CARD_ROWS), from, zone).map((section) =>
      // The card of one day has its date above already.
      from && from === to ? { items: section.items } : section,
    ),
    actions: moreActions(data, input, context),
    emptyText: input.query === undefined ? texts.noEvents : texts.noMatch,
  });
}

/** The dates; with the zone, when it is not the reader's own. */
function rangeText(from: string, to: string, shown: UiContext, reader: UiContext): string {
  const first = dayText(from, shown);
  const days = from === to ? first : `${first} – ${dayText(to, shown)}`;
  return shown.timezone === reader.timezone ? days : `${days} · ${shown.timezone}`;
}

/** The button for what comes next: the rest of what was read, else the page after it. */
function moreActions(data: JsonObject, input: JsonObject, context: UiContext): UiAction[] {
  const rest = objectsOf(data.items).length > CARD_ROWS;
  const next = textOf(data.nextCursor);
  if (!rest && !next) return [];
  const cursor = rest ? afterRows(textOf(input.cursor), CARD_ROWS) : (next ?? '');
  return [button(textsOf(context.locale).more, 'secondary', 'read', { ...input, cursor })];
}

interface DaySection extends UiSection {
  items: UiItem[];
}

/** An event that began before the range stands under the range's first day. */
function daySections(
  events: CardEvent[],
  firstDate: string | undefined,
  context: UiContext,
): DaySection[] {
  const days = new Map<string, UiItem[]>();
  for (const event of events) {
    const first = datesShown(event, context.timezone)?.first ?? '';
    const date = firstDate && first < firstDate ? firstDate : first;
    const items = days.get(date) ?? [];
    days.set(date, items);
    items.push(agendaItem(event, context));
  }
  return [...days].map(([date, items]) => ({
    ...(date ? { heading: dayText(date, context) } : {}),
    items,
  }));
}

function agendaItem(event: CardEvent, context: UiContext): UiItem {
  const texts = textsOf(context.locale);
  const pending = event.myStatus === 'pending';
  const subtitle = [
    timeOfDayText(event, context),
    event.location,
    pending && event.organizer ? texts.invitedBy(event.organizer) : undefined,
  ];
  return {
    id: event.id,
    title: titleOf(event, context),
    subtitle: subtitle.filter((part) => part).join(' · '),
    ...(pending
      ? { badges: [texts.invitation] }
      : event.overridden
        ? { badges: [texts.changedAlone] }
        : {}),
    actions: pending ? answerActions(event.id, context) : [openAction(event.id, context)],
  };
}
