/** Text as it is compared: full-width forms, case and accents do not count, blanks fold. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Letters and digits of the folded text; a text without any (an emoji) stands as it is. */
export function compact(text: string): string {
  const folded = fold(text);
  return folded.replace(/[^\p{L}\p{N}]+/gu, '') || folded;
}

/** Words of the folded text; Chinese and other scripts end where the other begins. */
export function words(text: string): string[] {
  return fold(text).match(/\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? [];
}

/** Whether the text is of Chinese characters only. */
export function isHan(text: string): boolean {
  return /^\p{Script=Han}+$/u.test(text);
}

/** At most `max` UTF-16 units, never half of a surrogate pair. */
export function head(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
