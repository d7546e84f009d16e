import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';

function typeNames(schema: JsonObject): string {
  const { type } = schema;
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.join('|');
  return Array.isArray(schema.enum) ? 'value' : 'any';
}

function bounds(schema: JsonObject): string {
  const low = schema.minimum ?? schema.minLength ?? schema.minItems;
  const high = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  if (typeof low !== 'number' && typeof high !== 'number') return '';
  return ` ${typeof low === 'number' ? low : ''}..${typeof high === 'number' ? high : ''}`;
}

function scalar(schema: JsonObject): string {
  const format = typeof schema.format === 'string' ? ` ${schema.format}` : '';
  const values = Array.isArray(schema.enum) ? ` enum(${schema.enum.join('|')})` : '';
  return `${typeNames(schema)}${format}${values}${bounds(schema)}`;
}

/** One member in a few words: `string 1..200`, `array of string`, `object`. */
export function memberWords(schema: JsonValue | undefined): string {
  const described = describe(schema, false);
  if (typeof described === 'string') return described;
  return Array.isArray(described) ? 'array of object' : 'object';
}

function describe(schema: JsonValue | undefined, optional: boolean): JsonValue {
  if (!isJsonObject(schema)) return 'any';
  const note = optional ? ' optional' : '';
  if (isJsonObject(schema.properties)) return compactSchema(schema);
  if (schema.type === 'array') {
    const items = describe(schema.items, false);
    return typeof items === 'string' ? `array of ${items}${bounds(schema)}${note}` : [items];
  }
  return `${scalar(schema)}${note}`;
}

/**
 * The short form of an input schema that goes into errors (seed `000` §8):
 * `{"mode":"string enum(day|range|event)","date":"string date optional"}`. Nested objects keep
 * their shape; a list of objects shows one. Optional objects and lists of objects carry `?`
 * behind their key.
 */
export function compactSchema(schema: JsonObject): JsonObject {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return {};
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.fromEntries(
    Object.entries(properties).map(([key, member]) => {
      const optional = !needed.has(key);
      const described = describe(member, optional);
      return [typeof described === 'string' || !optional ? key : `${key}?`, described];
    }),
  );
}
