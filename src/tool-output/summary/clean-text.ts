import { plainLine } from '../plain-line.js';

/** Longest summary, in UTF-16 units, so that it holds for whoever counts graphemes as well. */
export const MAX_SUMMARY_LENGTH = 120;

/** As much of a text as is looked at; what follows could never be shown. */
const MAX_SCANNED = 8192;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Where JSON begins inside a text: `{"`, `["`, `[{`. */
const JSON_START = /\{\s*"|\[\s*["{]/;

/** True for a text that is JSON as a whole: `{}` and `[1]` have no key to be known by. */
function isJson(text: string, isWhole: boolean): boolean {
  if (!/^[{[]/.test(text)) return false;
  // Such a length between brackets is data, and a part of it cannot be parsed.
  if (!isWhole) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** At most `limit` UTF-16 units of `text`; ends with `…` when cut, and never inside a grapheme. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (const { segment, index } of graphemes.segment(text.slice(0, limit * 16))) {
    if (index + segment.length > limit - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

/**
 * One line of plain text (PROTOCOL §10): see `plainLine`; JSON falls away with what follows it, and
 * the length is capped. '' when nothing is left.
 */
export function cleanText(text: string, limit = MAX_SUMMARY_LENGTH): string {
  const line = plainLine(text.slice(0, MAX_SCANNED));
  if (isJson(line, text.length <= MAX_SCANNED)) return '';
  const json = line.search(JSON_START);
  return cutText(json === -1 ? line : line.slice(0, json).trimEnd(), limit);
}
