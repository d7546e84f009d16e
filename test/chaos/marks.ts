/** Names what one call is to write, so that it is found in the call's arguments and in the database. */
export type Mark = string;

const MARK = /chaosp\d+n\d+(?:w\d+)*/;

/** The mark of a person's n-th message. */
export function messageMark(person: number, n: number): Mark {
  return `chaosp${person}n${n}`;
}

/** The mark of one write of a message. */
export function writeMark(mark: Mark, step: number, n: number): Mark {
  return `${mark}w${step}w${n}`;
}

/** The first mark in a text; null when there is none. */
export function markOf(text: string): Mark | null {
  return MARK.exec(text)?.[0] ?? null;
}
