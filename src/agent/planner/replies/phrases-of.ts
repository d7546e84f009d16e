import type { Locale } from '../../../common/locale.js';
import { EN } from './en.js';
import type { Phrases } from './phrases.js';
import { ZH } from './zh.js';

/** The phrases of a locale. */
export function phrasesOf(locale: Locale): Phrases {
  return locale === 'zh-CN' ? ZH : EN;
}
