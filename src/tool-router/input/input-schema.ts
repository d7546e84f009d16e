import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { compileSchema } from '../../common/compile-schema.js';
import type { JsonObject } from '../../common/json.js';

/** One place where an input does not fit its schema. */
export type SchemaFault = Pick<
  ErrorObject,
  'instancePath' | 'keyword' | 'params' | 'message' | 'parentSchema' | 'data'
>;

/** What the inputs of a method are checked by. */
export interface InputCheck {
  /** Every fault of `input`; none when it fits. */
  faults(input: JsonObject): SchemaFault[];
}

/**
 * A compiled JSON Schema of one method's input (draft 2020-12). Formats are not checked here: the
 * validation classes do that, with messages that say what is wrong.
 */
export class InputSchema implements InputCheck {
  private readonly validate: ValidateFunction;

  /** @throws Error when `schema` is no valid JSON Schema. */
  constructor(readonly schema: JsonObject) {
    this.validate = compileSchema(schema);
  }

  faults(input: JsonObject): SchemaFault[] {
    return this.validate(input) ? [] : [...(this.validate.errors ?? [])];
  }
}
