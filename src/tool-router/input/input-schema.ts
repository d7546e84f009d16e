import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../common/json.js';

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  ownProperties: true,
  strict: false,
  validateFormats: false,
  logger: false,
});

/** One place where an input does not fit its schema. */
export type SchemaFault = Pick<
  ErrorObject,
  'instancePath' | 'keyword' | 'params' | 'message' | 'parentSchema' | 'data'
>;

/**
 * A compiled JSON Schema of one method's input (draft 2020-12). Formats are not checked here: the
 * validation classes do that, with messages that say what is wrong.
 */
export class InputSchema {
  private readonly validate: ValidateFunction;

  /** @throws Error when `schema` is no valid JSON Schema. */
  constructor(readonly schema: JsonObject) {
    this.validate = ajv.compile(schema);
    // The compiler keeps every schema it has seen; dynamic groups come and go.
    ajv.removeSchema(schema);
  }

  /** Every fault of `input`; none when it fits. */
  faults(input: JsonObject): SchemaFault[] {
    return this.validate(input) ? [] : [...(this.validate.errors ?? [])];
  }
}
