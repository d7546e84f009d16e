/** Whether PostgreSQL and UTF-8 can hold the text as it is: no NUL, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
