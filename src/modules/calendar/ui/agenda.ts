import type { JsonObject } from '../../../common/json.js';
import type { UiContext, UiHints, UiItem, UiSection } from '../../../tool-output/ui-hints.js';
import { cardEvent, objectOf, objectsOf, textOf, type CardEvent } from './card-event.js';
import {
  answerActions,
  button,
  card,
  eventActions,
  eventFields,
  openAction,
} from './card-parts.js';
import { textsOf } from './card-texts.js';
import { dayText, datesShown, timeOfDayText } from './card-time.js';

/** The card of one event that was read. */
export function eventCard(data: JsonObject, context: UiContext): UiHints {
  const event = cardEvent(objectsOf(data.items)[0] ?? {});
  const texts = textsOf(context.locale);
  const invited = event.myStatus === 'pending';
  return card('read', context, {
    title: event.title,
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
  const cursor = textOf(data.nextCursor);
  return card('read', zone, {
    title: texts.agenda,
    tone: 'neutral',
    ...(from && to ? { subtitle: rangeText(from, to, zone) } : {}),
    sections: daySections(events, from, zone).map((section) =>
      // The card of one day has its date above already.
      from && from === to ? { items: section.items } : section,
    ),
    ...(cursor ? { actions: [button(texts.more, 'secondary', 'read', { ...input, cursor })] } : {}),
    emptyText: input.query === undefined ? texts.noEvents : texts.noMatch,
  });
}

function rangeText(from: string, to: string, context: UiContext): string {
  const first = dayText(from, context);
  return from === to ? first : `${first} – ${dayText(to, context)}`;
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
    title: event.title,
    subtitle: subtitle.filter((part) => part).join(' · '),
    ...(pending
      ? { badges: [texts.invitation] }
      : event.overridden
        ? { badges: [texts.changedAlone] }
        : {}),
    actions: pending ? answerActions(event.id, context) : [openAction(event.id, context)],
  };
}
