import type { Locale } from '../common/locale.js';

/** What a source may know of a run when it is asked. */
export interface BriefingRequest {
  userId: string;
  /** The person's message that the run answers. */
  message: string;
  locale: Locale;
  /** IANA zone. */
  timezone: string;
  /** The text is to have at most this many items and UTF-16 units. */
  budget: { items: number; characters: number };
}

/** One thing that a model was told; enough to find it again, and nothing of what it says. */
export interface BriefingItem {
  id: string;
  version: number;
}

export interface Briefing {
  /** One line an item; data, not instructions. Empty when nothing is worth saying. */
  text: string;
  items: BriefingItem[];
}

/**
 * Where a run learns what is known about its person: a port, bound in `src/bindings/`. What it gives
 * is told to the model as data.
 */
export interface BriefingSource {
  /** Capability that governs it: whoever may not call that gets nothing of it. */
  readonly capability: string;
  briefing(request: BriefingRequest): Promise<Briefing>;
}

/** Injection token of BriefingSource; without a binding runs begin without one. */
export const BRIEFING_SOURCE = Symbol('BRIEFING_SOURCE');

/** What a run's row says of the briefing that its model got. */
export interface UsedBriefing {
  items: BriefingItem[];
  /** Length of the text, in UTF-16 units. */
  characters: number;
}
