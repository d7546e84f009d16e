import type { Locale } from '../../common/locale.js';

/** Who asks; zone and locale say how a number without country code is meant. */
export interface ContactsCaller {
  userId: string;
  timezone: string;
  locale: Locale;
}

/** The same from project_cli and from REST. */
export function callerOf(facts: ContactsCaller): ContactsCaller {
  return { userId: facts.userId, timezone: facts.timezone, locale: facts.locale };
}
