import type { Locale } from '../../common/locale.js';
import type { Facts } from './facts.js';

/** One sentence about a finished call; null falls to the next rule (PROTOCOL §10). */
export type SummaryRule = (facts: Facts, locale: Locale) => string | null;
