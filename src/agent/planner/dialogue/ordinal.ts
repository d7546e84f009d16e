const ZH = '一二三四五六七八九十';
const EN = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];
const ZH_ORDINAL = /第\s*([一二三四五六七八九十]|\d{1,2})\s*[个场条项]?/;
const EN_ORDINAL = new RegExp(`\\b(${EN.join('|')}|(\\d{1,2})(?:st|nd|rd|th))\\b`, 'i');
const BARE = /^\s*(?:选|no\.?|number|#)?\s*([一二三四五六七八九十]|\d{1,2})\s*[.。!！号个]?\s*$/i;

/** Index (from 0) that `第二个`, `the second one`, `2` or `the last one` names; null for none. */
export function readOrdinal(text: string, count: number): number | null {
  if (/最后|\blast\b/i.test(text)) return count - 1;
  const bare = BARE.exec(text) ?? ZH_ORDINAL.exec(text);
  if (bare?.[1])
    return inRange(ZH.includes(bare[1]) ? ZH.indexOf(bare[1]) : Number(bare[1]) - 1, count);
  const english = EN_ORDINAL.exec(text);
  if (!english) return null;
  const index = english[2] ? Number(english[2]) - 1 : EN.indexOf((english[1] ?? '').toLowerCase());
  return inRange(index, count);
}

function inRange(index: number, count: number): number | null {
  return index >= 0 && index < count ? index : null;
}
