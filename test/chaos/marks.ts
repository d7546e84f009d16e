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

/** A word that is in one answer of a client and nowhere else. */
export type GivenMark = string;

const GIVEN = /givenp\d+n\d+x\d+[a-z]/;

/** @param letter tells answers to the same call from each other. */
export function givenMark(said: Mark, answers: number, letter: string): GivenMark {
  return `${said.replace('chaos', 'given')}x${answers}${letter}`;
}

/** The first such word in a text; null when there is none. */
export function givenOf(text: string): GivenMark | null {
  return GIVEN.exec(text)?.[0] ?? null;
}
