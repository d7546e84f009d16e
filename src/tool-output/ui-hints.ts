import type { JsonObject } from '../common/json.js';
import type { Locale } from '../common/locale.js';

/** Version of the hint format; a stored hint of an older version still compiles. */
export const UI_HINTS_VERSION = 1;

/** Rows on a card; a template offers the rest by a button, where its method pages. */
export const CARD_ROWS = 20;

export type UiTone = 'neutral' | 'positive' | 'warning' | 'negative';

/** One labelled fact: `Where  Room 3`. `before` is set on a change and shows the old value. */
export interface UiField {
  label: string;
  value: string;
  before?: string;
}

/** A button. Pressing it is the same call through the same router and guard (PROTOCOL §8). */
export interface UiAction {
  label: string;
  style: 'primary' | 'secondary' | 'danger';
  module: string;
  method: string;
  input: JsonObject;
}

/** One row of a list: what it is, when or who, and what can be done with it. */
export interface UiItem {
  id?: string;
  title: string;
  subtitle?: string;
  /** Short labels such as `accepted` or `all day`. */
  badges?: string[];
  actions?: UiAction[];
}

/** A heading with rows or facts under it; an agenda has one section a day. */
export interface UiSection {
  heading?: string;
  fields?: UiField[];
  items?: UiItem[];
}

/**
 * Semantic description of a card (PROTOCOL §8): what is to be said, not how it looks. A module's
 * `*.ui.ts` builds it from a result; the codec compiles it into A2UI. Texts are final: already in
 * the caller's locale and zone, so that live and replayed cards are equal.
 */
export interface UiHints {
  version: number;
  /** Capability id of the template: `calendar.read`. */
  template: string;
  locale: Locale;
  /** IANA zone in which times were written. */
  timezone: string;
  title: string;
  tone: UiTone;
  subtitle?: string;
  sections: UiSection[];
  actions?: UiAction[];
  /** Shown when there is nothing to list. */
  emptyText?: string;
}

/** What a template may depend on besides the result. */
export interface UiContext {
  locale: Locale;
  timezone: string;
}
