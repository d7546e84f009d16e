import { StewardError } from '../../common/steward-error.js';
import type { ToolCallDelta } from './chat-chunk-reader.js';
import { MAX_TURN_CALLS, type ModelToolCall } from './chat-model.js';

/** Characters of all calls of a turn: ids, names and arguments. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Puts the pieces of a turn's tool calls together. Endpoints differ: pieces with an index, with an
 * id only, with neither; the name in the first piece, in all, in parts, or empty in later ones; whole
 * arguments in one piece; several calls under one index.
 */
export class ToolCallAssembler {
  private readonly entries: (ModelToolCall & { index: number | null })[] = [];
  private characters = 0;

  /** @param functions names of those that the model may call. */
  constructor(private readonly functions: readonly string[]) {}

  /** @throws StewardError LIMIT_EXCEEDED for more calls, or larger ones, than a turn may have. */
  add(delta: ToolCallDelta): void {
    const { index, id, name, arguments: args } = delta;
    this.characters += id.length + name.length + args.length;
    if (this.characters > MAX_CHARACTERS) {
      throw new StewardError('LIMIT_EXCEEDED', 'The arguments of the model’s calls are too large.');
    }
    const entry = this.entryOf(delta);
    if (entry) {
      entry.id ||= id;
      entry.name = this.named(entry.name, name);
      entry.arguments += args;
      return;
    }
    // As they arrive: who waits for the end of the turn has gathered all that an endpoint sends.
    if (this.entries.length === MAX_TURN_CALLS) {
      throw new StewardError('LIMIT_EXCEEDED', 'The model makes too many calls in one turn.');
    }
    this.entries.push({ index, id, name, arguments: args });
  }

  /** The whole calls, in the order in which they began. One that names and says nothing is none. */
  calls(): ModelToolCall[] {
    return this.entries
      .filter(({ name, arguments: args }) => name !== '' || args !== '')
      .map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
  }

  /** The call that a piece belongs to; undefined when it begins one. */
  private entryOf({ index, id, name }: ToolCallDelta) {
    if (index !== null) {
      const entry = this.entries.findLast((candidate) => candidate.index === index);
      const another = entry && id !== '' && entry.id !== '' && id !== entry.id && name !== '';
      return another ? undefined : entry;
    }
    if (id !== '') {
      const entry = this.entries.find((candidate) => candidate.id === id);
      if (entry || name !== '') return entry;
    }
    const last = this.entries.at(-1);
    // A name is whole once its arguments have begun.
    const isNamed = !last || last.name === '' || last.arguments !== '';
    const goesOn = !isNamed && this.named(last.name, name) !== last.name;
    return name === '' || goesOn ? last : undefined;
  }

  /**
   * A name with its next piece. OpenAI's form is that of a delta, which some endpoints cut, and others send
   * whole each time, or as far as it has come: what is the beginning of a function's name goes on with it.
   */
  private named(name: string, piece: string): string {
    if (name === '') return piece;
    const grown = [name + piece, ...(piece.startsWith(name) ? [piece] : [])];
    return grown.find((text) => this.functions.some((known) => known.startsWith(text))) ?? name;
  }
}
