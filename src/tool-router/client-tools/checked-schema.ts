import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import { ANNOTATIONS, ASSERTIONS, DEFINITIONS, LISTS, MAPS, SUBSCHEMAS } from './schema-parts.js';

/** What stands unchanged; formats are named in errors and never checked. */
const KEPT = new Set([...ASSERTIONS, 'title', 'description']);
/** What decides by what other keywords had looked at. */
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems'];
const KNOWN = new Set([...ASSERTIONS, ...ANNOTATIONS, ...SUBSCHEMAS, ...LISTS, ...MAPS]);
for (const key of DEFINITIONS) KNOWN.add(key);

/**
 * The schema that inputs of a client's tool are checked against: without what costs more than one look
 * at each value (`pattern` may backtrack, `uniqueItems` compares all with all), without formats, and
 * without what is no keyword. It accepts whatever `schema` accepts, and more: where leaving something
 * out would refuse what is right (under `not`, `if`, `oneOf`), the whole condition is left out. Pure.
 * @param schema one that `readToolSchema` accepts.
 */
export function checkedSchema(schema: JsonObject): JsonObject {
  return new SchemaRelaxation(schema).of(schema);
}

class SchemaRelaxation {
  /** Schemas that are known to be checked in full, or not. */
  private readonly known = new Map<JsonObject, boolean>();

  constructor(private readonly root: JsonObject) {}

  of(schema: JsonObject): JsonObject {
    const exact = this.isExact(schema);
    const relaxed: [string, JsonValue][] = [];
    for (const [key, value] of Object.entries(schema)) {
      if (value === undefined) continue;
      const kept = this.keyword(schema, key, value, exact);
      if (kept !== undefined) relaxed.push(kept);
    }
    const result = Object.fromEntries(relaxed);
    const { oneOf } = schema;
    if (oneOf === undefined || this.isExact(oneOf)) return result;
    // At least one of them; beside an `anyOf` that stands there already.
    return { ...result, allOf: [...listOf(result.allOf), { anyOf: this.part(oneOf) }] };
  }

  /** A keyword as it is checked; undefined: it is not. */
  private keyword(
    schema: JsonObject,
    key: string,
    value: JsonValue,
    exact: boolean,
  ): [string, JsonValue] | undefined {
    if (KEPT.has(key)) {
      // What more fits `contains` than should may be too many.
      const most = key === 'maxContains' && !this.isExact(schema.contains);
      return most ? undefined : [key, value];
    }
    // Of OpenAPI 3.0: without it, null would be refused.
    if (key === 'nullable' && value === true && schema.type !== undefined) return [key, value];
    if (key === 'not') return this.isExact(value) ? [key, this.part(value)] : undefined;
    if (key === 'if' || key === 'then' || key === 'else') {
      return this.isExact(schema.if) ? [key, this.part(value)] : undefined;
    }
    if (key === 'oneOf' && !this.isExact(value)) return undefined;
    if (UNEVALUATED.includes(key)) return exact ? [key, this.part(value)] : undefined;
    if (MAPS.includes(key) || DEFINITIONS.includes(key)) return [key, this.members(value)];
    return LISTS.includes(key) || SUBSCHEMAS.includes(key) ? [key, this.part(value)] : undefined;
  }

  private part(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((one) => this.part(one));
    return isJsonObject(value) ? this.of(value) : value;
  }

  private members(map: JsonValue): JsonValue {
    if (!isJsonObject(map)) return map;
    return Object.fromEntries(
      Object.entries(map).flatMap(([name, one]) =>
        one === undefined ? [] : [[name, this.part(one)]],
      ),
    );
  }

  /** True when nothing in a schema, or list of them, is left out, references followed. */
  private isExact(value: JsonValue | undefined): boolean {
    if (Array.isArray(value)) return value.every((one) => this.isExact(one));
    if (!isJsonObject(value)) return true;
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const exact =
      Object.keys(value).every((key) => KNOWN.has(key)) &&
      [...SUBSCHEMAS, ...LISTS].every((key) => this.isExact(value[key])) &&
      MAPS.every((key) => this.isExact(Object.values(mapOf(value[key])).map((one) => one ?? {}))) &&
      this.isExact(this.named(value.$ref));
    this.known.set(value, exact);
    return exact;
  }

  private named(ref: JsonValue | undefined): JsonValue | undefined {
    if (typeof ref !== 'string') return undefined;
    const [, section = '', name = ''] = ref.split('/');
    return mapOf(this.root[section])[name];
  }
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function mapOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
