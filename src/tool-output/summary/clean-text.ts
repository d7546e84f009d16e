/** Longest summary, in UTF-16 units, so that it holds for whoever counts graphemes as well. */
export const MAX_SUMMARY_LENGTH = 120;

/** As much of a text as is looked at; what follows could never be shown. */
const MAX_SCANNED = 8192;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Where JSON begins inside a text: `{"key":`, `["`, `[{"`. */
const JSON_START = /\{\s*"(?:[^"\\]|\\.)*"\s*:|\[\s*(?:"|\{\s*")/;

/** Controls and everything that turns the direction of the text around it. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\s]+/gu;

/** True for a text that is JSON as a whole: `{}` and `[1]` have no key to be known by. */
function isJson(text: string): boolean {
  if (!/^[{[]/.test(text)) return false;
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
 * One line of plain text (PROTOCOL §10): newlines, controls and runs of spaces fold into a space,
 * JSON falls away with what follows it, and the length is capped. '' when nothing is left.
 */
export function cleanText(text: string, limit = MAX_SUMMARY_LENGTH): string {
  const line = text
    .slice(0, MAX_SCANNED)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(INVISIBLE, ' ')
    .trim();
  if (isJson(line)) return '';
  const json = line.search(JSON_START);
  return cutText(json === -1 ? line : line.slice(0, json).trimEnd(), limit);
}
