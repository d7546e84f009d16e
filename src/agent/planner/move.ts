import type { Temporal } from 'temporal-polyfill';
import type { JsonObject } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import type { CalendarEvent } from './dialogue/calendar-event.js';
import type { Turn } from './dialogue/conversation.js';
import type { PickedContact } from './dialogue/picked-contact.js';
import { phrasesOf } from './replies/phrases-of.js';
import type { Phrases } from './replies/phrases.js';

/** What an answer asks the user for; the next message may be the reply. */
export type Question =
  | { about: 'title' | 'time' | 'target' }
  /** The times said do not fit together: day and start stay, the end is asked for. */
  | { about: 'end'; said: string; rest: string }
  | { about: 'change' | 'share_with' | 'confirm'; event: CalendarEvent }
  | { about: 'forget'; input: JsonObject }
  | { about: 'forget_all'; facts: JsonObject[] }
  /** Several contacts fit; `merging` asks which of them become one. */
  | { about: 'contact'; query: string; candidates: JsonObject[]; merging: boolean }
  /** What of a series is meant, of which `event` is an occurrence. */
  | { about: 'scope'; event: CalendarEvent; candidates: CalendarEvent[] }
  | { about: 'choice'; candidates: CalendarEvent[] };

/** What the planner does next: one call of project_cli, or its answer. */
export type Move =
  | { kind: 'call'; module: string; method: string; input: JsonObject }
  | { kind: 'say'; text: string; question: Question | null };

/** What planning depends on besides the words. */
export interface PlanContext {
  locale: Locale;
  phrases: Phrases;
  /** The moment of the request in the user's zone. */
  now: Temporal.ZonedDateTime;
  /** Turns before the one that is planned, oldest first. */
  previous: readonly Turn[];
  /** Contacts that replies settled. */
  picked: readonly PickedContact[];
}

export function planContext(
  locale: Locale,
  now: Temporal.ZonedDateTime,
  previous: readonly Turn[],
): PlanContext {
  return { locale, phrases: phrasesOf(locale), now, previous, picked: [] };
}

export const say = (text: string): Move => ({ kind: 'say', text, question: null });

export const ask = (text: string, question: Question): Move => ({ kind: 'say', text, question });

export const callModule = (module: string, method: string, input: JsonObject): Move => ({
  kind: 'call',
  module,
  method,
  input,
});

export const callCalendar = (method: string, input: JsonObject): Move =>
  callModule('calendar', method, input);
