import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import type { InputIssue } from '../../common/steward-error.js';
import { invalidPlace } from '../../common/compile-schema.js';
import { countNodes } from './count-nodes.js';
import { dotted, parsePointer } from '../input/json-path.js';
import { DEFINITIONS, LISTS, MAPS, SUBSCHEMAS } from './schema-parts.js';

/** Levels of schemas inside of schemas, references followed. */
const MAX_DEPTH = 16;
/** Schemas of one tool, each reference counted as what it stands for. */
export const MAX_SCHEMA_NODES = 500;
/** The same of all tools of a request. */
export const MAX_SCHEMAS_TOGETHER = 2_000;
const MAX_PATTERN_LENGTH = 1_000;

/** What names places or dialects outside of the schema, or changes what a reference means. */
const REFUSED = [
  '$id',
  'id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  '$async',
  '$data',
  'patternProperties',
  'dependencies',
];

const LOCAL_REF = /^#\/(\$defs|definitions)\/([A-Za-z0-9_.-]{1,128})$/;

/** What a client's schema comes to, or every reason why it is not accepted. */
export type ReadSchema =
  { schema: JsonObject; size: number; issues?: undefined } | { issues: InputIssue[] };

/**
 * Reads the `parameters` of a client's tool: a JSON Schema of an object, of which the work and memory to
 * check an input are bounded. Refused are references to elsewhere and to themselves, `$id` and the like,
 * `patternProperties`, and what is too deep or too large with its references followed. Pure.
 * @param parameters absent, null and `{}` are those of a tool that takes nothing.
 * @param path of it in the request.
 */
export function readToolSchema(parameters: JsonValue | undefined, path: string): ReadSchema {
  if (parameters === undefined || parameters === null) return NOTHING_TAKEN;
  if (!isJsonObject(parameters)) {
    return { issues: [{ path, message: 'must be a JSON Schema', expected: 'object' }] };
  }
  if (Object.keys(parameters).length === 0) return NOTHING_TAKEN;
  const { $schema: _dialect, ...schema } = parameters;
  if (schema.type !== 'object') {
    const message = 'must be the schema of an object';
    return { issues: [{ path: `${path}.type`, message, expected: 'object' }] };
  }
  const walk = new SchemaWalk(schema);
  const size = walk.size(schema, path, 1, []);
  if (walk.issues.length > 0) return { issues: walk.issues };
  const place = invalidPlace(schema);
  if (place === null) return { schema, size };
  const message = 'is no valid JSON Schema';
  const expected = 'JSON Schema, draft 2020-12';
  return { issues: [{ path: dotted([path, ...parsePointer(place)]), message, expected }] };
}

const NOTHING_TAKEN = { schema: { type: 'object', properties: {} }, size: 1 };

/** Goes through a schema, its references followed, until it is too large. */
class SchemaWalk {
  readonly issues: InputIssue[] = [];
  private readonly sizes = new Map<string, number>();
  private visited = 0;

  constructor(private readonly root: JsonObject) {}

  /** Schemas in `value`. @param refs names that are being followed. */
  size(value: JsonValue | undefined, path: string, depth: number, refs: string[]): number {
    if (typeof value === 'boolean' || this.issues.length > 0) return 1;
    if (!isJsonObject(value)) return this.fault(path, 'must be a schema', 'object');
    this.visited += 1;
    if (depth > MAX_DEPTH) return this.fault(path, `is nested deeper than ${MAX_DEPTH} schemas`);
    if (this.visited > MAX_SCHEMA_NODES) return this.tooLarge(path);
    const refused = REFUSED.find((key) => Object.hasOwn(value, key));
    if (refused !== undefined) return this.fault(`${path}.${refused}`, 'is not accepted');
    if ('$schema' in value) return this.fault(`${path}.$schema`, 'stands at the top alone');
    const size = 1 + this.ownKeywords(value, path) + this.parts(value, path, depth, refs);
    return size > MAX_SCHEMA_NODES ? this.tooLarge(path) : size;
  }

  private ownKeywords(value: JsonObject, path: string): number {
    const { pattern, format } = value;
    if (pattern !== undefined && !isPattern(pattern)) {
      const expected = `a regular expression of at most ${MAX_PATTERN_LENGTH} characters`;
      this.fault(`${path}.pattern`, 'is no regular expression', expected);
    }
    if (format !== undefined && (typeof format !== 'string' || format.length > 64)) {
      this.fault(`${path}.format`, 'is not the name of a format', 'string');
    }
    const { enum: values = [true] } = value;
    if (!Array.isArray(values) || values.length === 0) {
      return this.fault(`${path}.enum`, 'must be a list of at least one value', 'array');
    }
    return (countNodes([values, value.const ?? null]) - 3) / 8 + namesOf(value);
  }

  private parts(value: JsonObject, path: string, depth: number, refs: string[]): number {
    let total = this.reference(value.$ref, `${path}.$ref`, depth, refs);
    const inner = (part: JsonValue | undefined, at: string) =>
      (total += this.size(part, `${path}.${at}`, depth + 1, refs));
    for (const key of SUBSCHEMAS) {
      if (value[key] !== undefined) inner(value[key], key);
    }
    for (const key of LISTS) {
      const list = value[key];
      if (list === undefined) continue;
      if (!Array.isArray(list)) return this.fault(`${path}.${key}`, 'must be a list', 'array');
      for (const [index, part] of list.entries()) inner(part, `${key}.${index}`);
    }
    for (const key of [...MAPS, ...DEFINITIONS]) {
      const map = value[key];
      if (map === undefined) continue;
      if (!isJsonObject(map)) return this.fault(`${path}.${key}`, 'must be an object', 'object');
      for (const [name, part] of Object.entries(map)) inner(part, `${key}.${name}`);
    }
    return total;
  }

  private reference(ref: JsonValue | undefined, path: string, depth: number, refs: string[]) {
    if (ref === undefined) return 0;
    const [, section, name] = (typeof ref === 'string' && LOCAL_REF.exec(ref)) || [];
    const named = section === undefined ? undefined : this.root[section];
    if (typeof ref !== 'string' || name === undefined || !isJsonObject(named)) {
      return this.fault(path, 'must name a part of this schema', '#/$defs/<name>');
    }
    if (!Object.hasOwn(named, name)) return this.fault(path, 'names nothing', '#/$defs/<name>');
    if (refs.includes(ref)) return this.fault(path, 'leads to itself');
    const known = this.sizes.get(ref);
    if (known !== undefined) return known;
    const size = this.size(named[name], path, depth + 1, [...refs, ref]);
    this.sizes.set(ref, size);
    return size;
  }

  private tooLarge(path: string): number {
    return this.fault(path, `has more than ${MAX_SCHEMA_NODES} schemas, references followed`);
  }

  private fault(path: string, message: string, expected?: string): number {
    if (this.issues.length === 0)
      this.issues.push({ path, message, ...(expected && { expected }) });
    return 1;
  }
}

/** Names that must be there, each of which is looked for, and may be a fault, at every value. */
function namesOf({ required, dependentRequired }: JsonObject): number {
  const lists = isJsonObject(dependentRequired) ? Object.values(dependentRequired) : [];
  return [required, ...lists].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  );
}

/** Patterns are shown to models and never run here; one that is none is an error all the same. */
function isPattern(pattern: JsonValue): boolean {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN_LENGTH) return false;
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
