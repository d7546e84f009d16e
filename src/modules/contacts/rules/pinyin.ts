import { pinyin } from 'pinyin-pro';
import { compact } from './fold.js';

/** How a name sounds and its initials: `王小明` → `wangxiaoming`, `wxm`. */
export interface Sound {
  full: string;
  initials: string;
}

/** The sound of a text with Chinese in it; null for others. Surnames are read as surnames (曾, 单). */
export function soundOf(text: string): Sound | null {
  const letters = compact(text);
  if (!/\p{Script=Han}/u.test(letters)) return null;
  const syllables = pinyin(letters, {
    toneType: 'none',
    type: 'array',
    v: true,
    surname: 'head',
    nonZh: 'consecutive',
  }).map((syllable) => syllable.replace(/[^a-z0-9]/gi, '').toLowerCase());
  const spoken = syllables.filter((syllable) => syllable !== '');
  if (spoken.length === 0) return null;
  return {
    full: spoken.join(''),
    initials: spoken.map((syllable) => syllable[0]).join(''),
  };
}
