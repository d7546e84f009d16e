/** Locales in which summaries, cards and the offline planner speak. */
export const LOCALES = ['zh-CN', 'en'] as const;

export type Locale = (typeof LOCALES)[number];

export const DEFAULT_LOCALE: Locale = 'en';

/** The nearest locale that is spoken here: any Chinese tag is `zh-CN`, everything else `en`. */
export function toLocale(tag: string | undefined | null): Locale {
  return tag?.trim().toLowerCase().startsWith('zh') ? 'zh-CN' : DEFAULT_LOCALE;
}
