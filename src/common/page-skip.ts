/** Rows that a cursor may go on after its place: as many as the longest page has. */
const SKIP_MAX = 200;

const SKIPPING = /^(.*)~([1-9]\d{0,2})$/;

/** Where a page begins: after the place that `cursor` names, and `skip` rows more. */
export interface PageStart {
  /** undefined: the first page. */
  cursor: string | undefined;
  skip: number;
}

/**
 * Reads a cursor that may go on in the middle of a page, as the "more" button of a card does, which
 * shows fewer rows than were read: `<cursor>~20`, `~20`. Anything else stays as it is, to be refused
 * as a cursor.
 */
export function pageStart(cursor: string | undefined): PageStart {
  const [, before, rows] = SKIPPING.exec(cursor ?? '') ?? [];
  const skip = Number(rows);
  if (before === undefined || !(skip <= SKIP_MAX)) return { cursor, skip: 0 };
  return { cursor: before === '' ? undefined : before, skip };
}

/** The cursor of what comes `rows` rows after the beginning of the page that `cursor` begins. */
export function afterRows(cursor: string | undefined, rows: number): string {
  const start = pageStart(cursor);
  return `${start.cursor ?? ''}~${start.skip + rows}`;
}
