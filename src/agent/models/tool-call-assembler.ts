import { StewardError } from '../../common/steward-error.js';
import type { ModelToolCall } from './chat-model.js';
import type { ToolCallDelta } from './chat-chunk-reader.js';

/** Characters of all arguments of a turn. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Puts the pieces of a turn's tool calls together. Endpoints differ: pieces with an index, with an
 * id only, with neither; the name in the first piece, in all, or empty in later ones; whole
 * arguments in one piece; several calls under one index.
 */
export class ToolCallAssembler {
  private readonly entries: (ModelToolCall & { index: number | null })[] = [];
  private characters = 0;

  get size(): number {
    return this.entries.length;
  }

  /** @throws StewardError LIMIT_EXCEEDED when the arguments are larger than any call may be. */
  add(delta: ToolCallDelta): void {
    this.characters += delta.arguments.length;
    if (this.characters > MAX_CHARACTERS) {
      throw new StewardError('LIMIT_EXCEEDED', 'The arguments of the model’s calls are too large.');
    }
    const entry = this.entryOf(delta);
    if (!entry) {
      const { index, id, name, arguments: args } = delta;
      this.entries.push({ index, id, name, arguments: args });
      return;
    }
    entry.id ||= delta.id;
    entry.name ||= delta.name;
    entry.arguments += delta.arguments;
  }

  /** The whole calls, in the order in which they began. */
  calls(): ModelToolCall[] {
    return this.entries.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
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
    return name === '' ? this.entries.at(-1) : undefined;
  }
}
