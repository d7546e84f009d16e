const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Code points that take two columns in a terminal (East Asian wide and full width). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;

const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}{2}/u;

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;

/** Columns that one grapheme takes: 0, 1 or 2. */
function graphemeWidth(segment: string): number {
  if (NO_WIDTH.test(segment)) return 0;
  return WIDE.test(segment) || EMOJI.test(segment) ? 2 : 1;
}

/** Columns that `text` takes in a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** Breaks `text` into lines of at most `width` columns, at spaces where there are some. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const flush = () => {
    lines.push(line.trimEnd());
    line = '';
    used = 0;
  };
  for (const word of text.split(/(?<= )/)) {
    if (used > 0 && used + displayWidth(word.trimEnd()) > width) flush();
    for (const { segment } of graphemes.segment(word)) {
      const columns = graphemeWidth(segment);
      if (used + columns > width && segment !== ' ') flush();
      line += segment;
      used += columns;
    }
  }
  if (line.trimEnd() !== '' || lines.length === 0) flush();
  return lines;
}

/** `text` followed by the spaces that fill `width` columns. */
export function padText(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
