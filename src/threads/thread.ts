/** A conversation (PROTOCOL §1). */
export interface Thread {
  id: string;
  userId: string;
  /** The beginning of its first message. */
  title: string;
  createdAt: Date;
  /** When its newest message was stored. */
  updatedAt: Date;
}

/** What an id made by a client may look like: it stands in URLs, logs and SSE lines. */
export const CLIENT_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._~:-]{0,127}$/;

const TITLE_GRAPHEMES = 80;

/**
 * The title that a first message gives a thread: one line, at most 80 graphemes.
 */
export function titleOf(message: string): string {
  const line = message.trim().replace(/\s+/gu, ' ');
  const graphemes: string[] = [];
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (graphemes.length === TITLE_GRAPHEMES) return `${graphemes.join('')}…`;
    graphemes.push(segment);
  }
  return graphemes.join('');
}
