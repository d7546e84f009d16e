import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import type { CapabilityContract, ContractSnapshot } from './contract.js';

/** Who writes a value and who reads it decides what a change of its schema breaks. */
type Direction = 'input' | 'output';

const NARROWING_LIMITS: Record<string, (before: number, after: number) => boolean> = {
  minimum: (before, after) => after > before,
  minLength: (before, after) => after > before,
  minItems: (before, after) => after > before,
  maximum: (before, after) => after < before,
  maxLength: (before, after) => after < before,
  maxItems: (before, after) => after < before,
};

/**
 * What an existing client or model could trip over when `after` replaces `before`; empty when the
 * change only adds. A capability whose version grew may change as it likes (PROTOCOL §15).
 */
export function incompatibilities(before: ContractSnapshot, after: ContractSnapshot): string[] {
  const found = [
    ...missing('record key', before.recordKeys, after.recordKeys),
    ...missing('metadata key', before.metadataKeys, after.metadataKeys),
  ];
  if (before.tool !== after.tool) found.push(`tool: ${before.tool} became ${after.tool}`);
  for (const [id, old] of Object.entries(before.capabilities)) {
    const now = after.capabilities[id];
    if (!now) found.push(`${id}: is gone`);
    else if (now.version <= old.version) found.push(...capabilityChanges(id, old, now));
  }
  return found;
}

function missing(kind: string, before: string[], after: string[]): string[] {
  return before.filter((key) => !after.includes(key)).map((key) => `${kind} ${key}: is gone`);
}

function capabilityChanges(id: string, old: CapabilityContract, now: CapabilityContract): string[] {
  const found = [
    ...schemaChanges(`${id} input`, old.inputSchema, now.inputSchema, 'input'),
    ...schemaChanges(`${id} output`, old.outputSchema, now.outputSchema, 'output'),
  ];
  if (now.version < old.version) found.push(`${id}: version went back`);
  if (old.effect === 'read' && now.effect !== 'read') found.push(`${id}: writes now`);
  if (!old.requiresApproval && now.requiresApproval) found.push(`${id}: needs approval now`);
  return found;
}

function schemaChanges(
  path: string,
  before: JsonObject,
  after: JsonObject,
  direction: Direction,
): string[] {
  const found: string[] = [];
  if (JSON.stringify(before.type) !== JSON.stringify(after.type)) {
    found.push(`${path}: type ${text(before.type)} became ${text(after.type)}`);
  }
  found.push(...enumChanges(path, before.enum, after.enum, direction));
  if (direction === 'input') found.push(...limitChanges(path, before, after));
  found.push(...requiredChanges(path, before, after, direction));
  const [old, now] = [members(before), members(after)];
  for (const [name, schema] of Object.entries(old)) {
    const next = now[name];
    if (next) found.push(...schemaChanges(`${path}.${name}`, schema, next, direction));
    else found.push(`${path}.${name}: is gone`);
  }
  if (isJsonObject(before.items) && isJsonObject(after.items)) {
    found.push(...schemaChanges(`${path}[]`, before.items, after.items, direction));
  }
  return found;
}

function enumChanges(
  path: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  direction: Direction,
): string[] {
  const [old, now] = [values(before), values(after)];
  if (direction === 'input') {
    if (!now) return [];
    if (!old) return [`${path}: accepts only ${text(after)} now`];
    return old.filter((value) => !now.includes(value)).map((value) => `${path}: ${value} is gone`);
  }
  if (!old) return [];
  if (!now) return [`${path}: may be anything now`];
  return now.filter((value) => !old.includes(value)).map((value) => `${path}: ${value} is new`);
}

function limitChanges(path: string, before: JsonObject, after: JsonObject): string[] {
  return Object.entries(NARROWING_LIMITS).flatMap(([limit, narrower]) => {
    const [old, now] = [before[limit], after[limit]];
    if (typeof now !== 'number') return [];
    if (typeof old === 'number' && !narrower(old, now)) return [];
    return [`${path}: ${limit} is ${now} now`];
  });
}

function requiredChanges(
  path: string,
  before: JsonObject,
  after: JsonObject,
  direction: Direction,
): string[] {
  const [old, now] = [values(before.required) ?? [], values(after.required) ?? []];
  return direction === 'input'
    ? now.filter((name) => !old.includes(name)).map((name) => `${path}.${name}: is required now`)
    : old.filter((name) => !now.includes(name)).map((name) => `${path}.${name}: may be absent now`);
}

function members(schema: JsonObject): Record<string, JsonObject> {
  const { properties } = schema;
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, JsonObject] =>
      isJsonObject(entry[1]),
    ),
  );
}

function values(list: JsonValue | undefined): string[] | null {
  return Array.isArray(list) ? list.map(text) : null;
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
