import type { JsonObject, JsonValue } from '../../common/json.js';
import { InputSchema, type SchemaFault } from '../input/input-schema.js';
import { checkedSchema, readToolSchema } from './tool-schema.js';

/** Values of an input times schemas: what one check may look at, and name as faults, at most. */
const MAX_LOOKS = 200_000;

/** The schema of a client's tool, by which only so much input is checked that it takes no time to speak of. */
export class ClientInputSchema extends InputSchema {
  private readonly maxValues: number;

  /** @throws Error when `schema` is not one that `readToolSchema` accepts. */
  constructor(schema: JsonObject) {
    super(checkedSchema(schema));
    const read = readToolSchema(schema, '');
    if (read.issues) throw new Error('the schema of a client tool is not acceptable');
    this.maxValues = Math.floor(MAX_LOOKS / read.size);
  }

  override faults(input: JsonObject): SchemaFault[] {
    if (countValues(input) <= this.maxValues) return super.faults(input);
    const message = `has more than ${this.maxValues} values, too many for this tool`;
    return [{ instancePath: '', keyword: 'size', params: {}, message, data: null }];
  }
}

function countValues(root: JsonValue): number {
  let count = 0;
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    count += 1;
    if (typeof value !== 'object' || value === null) continue;
    for (const child of Object.values(value)) if (child !== undefined) open.push(child);
  }
  return count;
}
