import type { JsonObject } from '../../../common/json.js';
import type { IntentKind } from '../intent/intent-kind.js';
import type { Question } from '../move.js';
import type { Scope } from '../slots/scope.js';
import type { CalendarEvent } from './calendar-event.js';
import type { MergeOrder, PickedContact } from './picked-contact.js';

/** An order as it is understood, alone or as the reply to a question. */
export interface Understood {
  kind: IntentKind | 'several_orders' | 'not_chosen';
  /** The words to plan by: the order, joined with the one it completes. */
  text: string;
  /** The event that the order picked from a list. */
  chosen: CalendarEvent | null;
  /** The input of a call that the order agreed to. */
  confirmed?: JsonObject;
  /** Contacts that replies settled. */
  picked?: PickedContact[];
  /** Contacts that a reply said to merge. */
  merging?: MergeOrder;
  /** What of a series a reply meant. */
  scope?: Scope;
  /** Facts that a reply agreed to erase. */
  erase?: JsonObject[];
}

/** The question the previous turn ended with, and what it was about. */
export interface OpenQuestion {
  question: Question;
  asked: Understood;
}
