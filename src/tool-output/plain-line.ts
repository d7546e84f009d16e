/** Half of a pair that means no character. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Characters that nobody sees: what turns the direction of the text around it (bidi controls and
 * marks), soft hyphens, fillers and what else draws nothing, which can also hide words from people
 * that models read (tags). The joiners and the tags of flags are looked at one by one.
 */
const INVISIBLE = /(?!\p{M}|\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu;

/** A joiner that joins: emoji of a family, or letters of scripts that are written with joiners. */
const JOINING =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{L}\p{M}])(?<![\p{Script=Latin}\p{Script=Han}\p{Script=Cyrillic}\p{Script=Greek}])[\u200c\u200d](?=[\p{L}\p{M}])/gu;
const JOINER = /[\u200c\u200d]/gu;

/** Tags make a flag only after 🏴, and end with the cancel tag. */
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f}/gu;
const TAG = /[\u{e0020}-\u{e007f}]/gu;

/** More marks on one letter than any script has: they would cover the lines above and below. */
const HEAP_OF_MARKS = /(\p{M}{8})\p{M}+/gu;

const SPACES = /[\p{Cc}\s]+/gu;

/** Removes what `drop` finds outside of what `keep` finds. */
function dropOutside(line: string, drop: RegExp, keep: RegExp): string {
  if (line.search(drop) === -1) return line;
  let out = '';
  let from = 0;
  for (const { index, 0: kept } of line.matchAll(keep)) {
    out += line.slice(from, index).replace(drop, '') + kept;
    from = index + kept.length;
  }
  return out + line.slice(from).replace(drop, '');
}

/**
 * A text as one line of plain text: white space of any kind, newlines and controls fold into one
 * space; bidi controls and zero-width characters go, but for those that make an emoji or a word.
 */
export function plainLine(text: string): string {
  const visible = text.replace(LONE_SURROGATE, '\ufffd').replace(INVISIBLE, '');
  const joined = dropOutside(visible, JOINER, JOINING);
  return dropOutside(joined, TAG, FLAG).replace(HEAP_OF_MARKS, '$1').replace(SPACES, ' ').trim();
}
