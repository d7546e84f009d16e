import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../common/json.js';
import { InputSchema, type InputCheck, type SchemaFault } from '../input/input-schema.js';
import { checkedSchema } from './checked-schema.js';
import { countNodes } from './count-nodes.js';
import { readToolSchema } from './tool-schema.js';

/** Values of an input times schemas: what one check may look at, and name as faults, at most. */
const MAX_LOOKS = 100_000;
/** Schemas, those within them counted, that are kept compiled: some hundred bytes to a kilobyte each. */
const MAX_COMPILED = 10_000;

const COMPILED = new LRUCache<string, Compiled>({
  maxSize: MAX_COMPILED,
  sizeCalculation: ({ size }) => size,
});

interface Compiled {
  check: InputSchema;
  size: number;
}

/**
 * The schema of a client's tool, compiled when the tool is called, because most never are, and by which
 * only so much input is checked that it takes no time to speak of.
 */
export class ClientInputSchema implements InputCheck {
  private key: string | undefined;

  /** @param schema one that `readToolSchema` accepts; not changed afterwards. */
  constructor(private readonly schema: JsonObject) {}

  /** @throws Error when the schema is none that is accepted. */
  faults(input: JsonObject): SchemaFault[] {
    const { check, size } = this.compiled();
    const maxValues = Math.floor(MAX_LOOKS / size);
    if (countNodes(input) <= maxValues) return check.faults(input);
    const message = `has more than ${maxValues} values, too many for this tool`;
    return [{ instancePath: '', keyword: 'size', params: {}, message, data: null }];
  }

  private compiled(): Compiled {
    this.key ??= createHash('sha256').update(JSON.stringify(this.schema)).digest('base64url');
    const known = COMPILED.get(this.key);
    if (known) return known;
    const read = readToolSchema(this.schema, '');
    if (read.issues) throw new Error('the schema of a client tool is not acceptable');
    const made = { check: new InputSchema(checkedSchema(this.schema)), size: Math.ceil(read.size) };
    COMPILED.set(this.key, made);
    return made;
  }
}
