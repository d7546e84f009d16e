import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import type { InputRepair } from '../../tool-output/tool-agent-output.js';
import { cloneJson } from './clone-json.js';
import { exactNumber } from './exact-number.js';
import type { InputCheck, SchemaFault } from './input-schema.js';
import { dotted, parsePointer, replaceAt, valueAt, type JsonPath } from './json-path.js';
import { parseLosslessJson } from './lossless-json.js';

/** Passes: a decoded JSON string may hold values that need repair themselves. */
const MAX_PASSES = 8;
/** An input with more wrong places than this was not meant for the method. */
const MAX_REPAIRS = 200;

/** `value` as the wanted JSON type, without loss; undefined when that cannot be (PROTOCOL §6). */
function convert(value: JsonValue, type: string): JsonValue | undefined {
  if (type === 'string') {
    return typeof value === 'boolean' || typeof value === 'number' ? String(value) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  switch (type) {
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : undefined;
    case 'number':
      return exactNumber(value) ?? undefined;
    case 'integer': {
      const number = exactNumber(value);
      return Number.isInteger(number) ? (number ?? undefined) : undefined;
    }
    case 'array': {
      const decoded = parseLosslessJson(value);
      return Array.isArray(decoded) ? decoded : undefined;
    }
    case 'object': {
      const decoded = parseLosslessJson(value);
      return isJsonObject(decoded) ? decoded : undefined;
    }
    default:
      return undefined;
  }
}

/** Wrong types by place, in the order in which the schema names the types. */
function wrongTypes(faults: SchemaFault[]): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { keyword, instancePath, params } of faults) {
    if (keyword !== 'type') continue;
    const wanted: unknown = params.type;
    const types = Array.isArray(wanted) ? wanted.map(String) : [String(wanted)];
    places.set(instancePath, [...(places.get(instancePath) ?? []), ...types]);
  }
  return places;
}

/** The first conversion after which nothing is wrong with the place itself. */
function fittingValue(
  schema: InputCheck,
  input: JsonObject,
  path: JsonPath,
  pointer: string,
  types: string[],
): JsonValue | undefined {
  const value = valueAt(input, path);
  if (value === undefined) return undefined;
  const candidates = types
    .map((type) => convert(value, type))
    .filter((candidate) => candidate !== undefined);
  if (types.length === 1) return candidates[0];
  const fitting = candidates.find((candidate) => {
    replaceAt(input, path, candidate);
    return !schema.faults(input).some((fault) => fault.instancePath === pointer);
  });
  replaceAt(input, path, value);
  return fitting;
}

/**
 * The schema catalog of seed `003`: gives the values of a model's input their right JSON type where
 * that loses nothing, and touches only places that fail as they are (PROTOCOL §6). Pure; `input`
 * itself is not changed. Valid input comes back as it is, and repairing twice changes nothing more.
 */
export function repairInput(
  schema: InputCheck,
  input: JsonObject,
): { input: JsonObject; repairs: InputRepair[] } {
  const repairs: InputRepair[] = [];
  let faults = schema.faults(input);
  if (wrongTypes(faults).size === 0) return { input, repairs };
  const repaired = cloneJson(input);
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = repairs.length;
    for (const [pointer, types] of wrongTypes(faults)) {
      if (repairs.length >= MAX_REPAIRS) break;
      const path = parsePointer(pointer);
      const from = valueAt(repaired, path);
      const to = fittingValue(schema, repaired, path, pointer, types);
      if (from === undefined || to === undefined) continue;
      replaceAt(repaired, path, to);
      repairs.push({ path: dotted(path), from, to: cloneJson(to) });
    }
    if (repairs.length === before) break;
    faults = schema.faults(repaired);
  }
  return { input: repaired, repairs };
}
