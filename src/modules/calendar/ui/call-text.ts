import type { UiContext } from '../../../tool-output/ui-hints.js';
import type { EventSummaryView } from '../dto/event-view.dto.js';
import type { CreateEventsInput, UpdateEventInput } from '../dto/event-input.dto.js';
import type { Scope } from '../dto/recurrence-fields.js';
import type { ShareEventInput } from '../dto/share-input.dto.js';
import { whenText } from './card-time.js';

const SCOPES: Readonly<Record<Scope, readonly [zh: string, en: string]>> = {
  this: ['仅此一次', 'this occurrence only'],
  this_and_following: ['这次及以后', 'this and all later ones'],
  all: ['整个系列', 'the whole series'],
};

/** Title and time of what a call would touch: `项目会（2026年12月2日 星期三 15:00–16:00）`. Pure. */
export function eventText(
  event: EventSummaryView & { scope?: Scope | undefined },
  context: UiContext,
): string {
  const zh = context.locale === 'zh-CN';
  const scope = event.scope && SCOPES[event.scope][zh ? 0 : 1];
  const facts = [whenText(event, context), scope ?? ''].filter(Boolean);
  return zh ? `${event.title}（${facts.join('，')}）` : `${event.title} (${facts.join(', ')})`;
}

/** The events that a call would create, by their titles and the times as given. Pure. */
export function createText({ title, start_at, start_date, events }: CreateEventsInput): string {
  const wanted = events ?? [{ title, start_at, start_date }];
  return wanted
    .map((draft) => [draft.title, draft.start_at ?? draft.start_date].filter(Boolean).join(' '))
    .join(', ');
}

/** What a call would change, as far as a person reads it: title, time and place. Pure. */
export function changeText({ title, start_at, start_date, location }: UpdateEventInput): string {
  const values = [title, start_at ?? start_date, location].filter(Boolean);
  return values.length > 0 ? ` → ${values.join(', ')}` : '';
}

/** With whom a call would share. Pure. */
export function shareText({ with: people }: ShareEventInput): string {
  const names = people.map(({ email, permission }) =>
    permission === undefined ? email : `${email} (${permission})`,
  );
  return ` → ${names.join(', ')}`;
}
