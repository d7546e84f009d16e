import { Ajv2020, type Format, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject } from './json.js';

/** Knows the dialect alone: what it validates it neither compiles nor keeps. */
const dialect = new Ajv2020({ strict: false, validateFormats: false, logger: false });

/**
 * Where a schema is no valid one (draft 2020-12): a JSON pointer, '' for the whole; null when it is
 * valid. The time is linear in its size, and nothing of it is kept.
 * @throws Error when `$schema` names a dialect that is not known here.
 */
export function invalidPlace(schema: JsonObject): string | null {
  return dialect.validateSchema(schema) === true ? null : (dialect.errors?.[0]?.instancePath ?? '');
}

/**
 * A schema as a function, which names every fault. The compiler keeps the code of all that it has
 * compiled for as long as it lives, so that each schema has one of its own and goes with it.
 * @param formats that are checked; the others are not.
 * @throws Error when `schema` is no valid JSON Schema.
 */
export function compileSchema(
  schema: JsonObject,
  formats: Record<string, Format> = {},
): ValidateFunction {
  const place = invalidPlace(schema);
  if (place !== null) throw new Error(`schema is invalid at "${place}"`);
  const compiler = new Ajv2020({
    allErrors: true,
    verbose: true,
    ownProperties: true,
    strict: false,
    logger: false,
    formats,
    // Checked above, by a compiler that has the dialect already.
    meta: false,
    validateSchema: false,
    // What is referred to a hundred times is compiled once.
    inlineRefs: false,
  });
  return compiler.compile(schema);
}
