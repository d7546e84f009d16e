/** One event of a stream. */
export interface StreamEvent {
  /** '' where the stream names none. */
  name: string;
  /** Its `data:` lines, joined by line feeds; never only white space. */
  data: string;
}

/**
 * Reads an event stream (WHATWG HTML, "Server-sent events") from text in pieces, wherever they are cut. No
 * character is looked at twice, and what has no end is not held: the work is linear in what arrives.
 * An event without data is none. Two things are taken that the standard does not give: the last event
 * needs no blank line behind it, and a line with the mark is an event of its own.
 */
export class EventStream {
  private line: string[] = [];
  private data: string[] = [];
  private name = '';
  private size = 0;
  private afterReturn = false;

  /**
   * @param mark data after which nothing more is to come.
   * @param maxCharacters of the lines of one event, comments and line ends included.
   */
  constructor(
    private readonly mark: string,
    private readonly maxCharacters: number,
  ) {}

  /** True once an event has more characters than it may; what is given from then on is dropped. */
  get isTooLarge(): boolean {
    return this.size > this.maxCharacters;
  }

  /** Takes a piece. Gives the events that end in it, in order. */
  *push(piece: string): Generator<StreamEvent, void, void> {
    let from = 0;
    // A line feed belongs to the carriage return before it, also where the stream is cut between them.
    if (this.afterReturn && piece !== '') {
      this.afterReturn = false;
      if (piece.startsWith('\n')) from = 1;
    }
    while (from < piece.length && !this.isTooLarge) {
      const end = lineEnd(piece, from);
      this.size += Math.min(end + 1, piece.length) - from;
      if (this.isTooLarge) return;
      this.line.push(piece.slice(from, end));
      if (end === piece.length) return;
      from = end + 1;
      if (piece[end] === '\r') {
        if (piece[from] === '\n') from += 1;
        else this.afterReturn = from === piece.length;
      }
      yield* this.endLine();
    }
  }

  /** The stream is over: its last event. */
  *flush(): Generator<StreamEvent, void, void> {
    if (this.isTooLarge) return;
    yield* this.endLine();
    yield* this.endEvent();
  }

  private *endLine(): Generator<StreamEvent, void, void> {
    const line = this.line.join('');
    this.line = [];
    if (line === '') {
      yield* this.endEvent();
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.name = value;
    if (field !== 'data') return;
    if (value.trim() !== this.mark) {
      this.data.push(value);
      return;
    }
    yield* this.endEvent();
    yield { name: '', data: this.mark };
  }

  private *endEvent(): Generator<StreamEvent, void, void> {
    const { name } = this;
    const data = this.data.join('\n');
    this.name = '';
    this.data = [];
    this.size = 0;
    if (data.trim() !== '') yield { name, data };
  }
}

function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\n' || character === '\r') return at;
  }
  return text.length;
}
