import type { Locale } from '../../../common/locale.js';

const HAN = /\p{Script=Han}/u;
const LATIN = /[a-z]{2}/i;
/** Addresses are of no language. */
const ADDRESS = /\S{1,100}@\S{1,100}|https?:\/\/\S{1,200}/g;

/** The language to answer in: that of the message, or `fallback` when it has no letters of one. */
export function detectLocale(message: string, fallback: Locale): Locale {
  if (HAN.test(message)) return 'zh-CN';
  return LATIN.test(message.replace(ADDRESS, '')) ? 'en' : fallback;
}
