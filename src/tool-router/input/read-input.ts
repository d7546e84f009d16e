import type { JsonObject } from '../../common/json.js';
import { StewardError, type InputIssue } from '../../common/steward-error.js';
import { findCredential } from '../../tool-output/credential-scan.js';
import type { InputRepair } from '../../tool-output/tool-agent-output.js';
import type { RegisteredCapability } from '../capability-registration.js';
import { credentialInInput } from '../credential-in-input.js';
import { compactSchema } from '../schema/compact-schema.js';
import { isValidationClass } from '../schema/dto-schema.js';
import { validateByClass } from './class-validation.js';
import { cloneJson } from './clone-json.js';
import { deepFreeze } from './deep-freeze.js';
import { checkInputLimits } from './input-limits.js';
import { repairInput } from './repair.js';
import { schemaIssues } from './schema-issues.js';

const MAX_ISSUES = 20;

/** Input as it may run; all of it frozen. */
export interface ReadInput {
  /** What the handler gets: an instance of the method's input class, or the JSON. */
  value: object;
  /** Repaired and validated input as plain JSON. Reading it again gives it again. */
  input: JsonObject;
  repairs: InputRepair[];
}

/**
 * Input repair and full validation (PROTOCOL §6) for one method: on its way to the handler, and
 * where a person edits what shall run.
 * @throws StewardError INVALID_ACTION_INPUT with issues and the compact schema; CREDENTIAL_IN_INPUT.
 */
export async function readInput(
  capability: RegisteredCapability,
  rawInput: JsonObject,
): Promise<ReadInput> {
  const { inputSchema, registration } = capability;
  const { input, repairs } = repairInput(inputSchema, rawInput);
  if (repairs.length > 0) assertUnpacked(input);

  // Without `null` and wrong types, which some class rules wave through.
  const fromSchema = schemaIssues(inputSchema.faults(input));
  let value: object = cloneJson(input);
  if ('inputType' in registration && isValidationClass(registration.inputType)) {
    const { instance, issues, unknownKeys } = await validateByClass(registration.inputType, input);
    value = instance;
    fail(capability, merge(fromSchema, issues, unknownKeys));
  } else {
    fail(capability, fromSchema);
  }
  return { value: deepFreeze(value), input: deepFreeze(cloneJson(input)), repairs };
}

/** A decoded JSON string is looked at like the input that it came in. */
function assertUnpacked(input: JsonObject): void {
  const limit = checkInputLimits(input);
  if (limit) throw limit;
  const credential = findCredential(input);
  if (credential) throw credentialInInput(credential.path);
}

/**
 * One list without doubles: of a place that the schema already complains about, the class's words
 * are kept when they say more, but a wrong type needs no further faults.
 */
function merge(
  fromSchema: InputIssue[],
  fromClass: InputIssue[],
  unknownKeys: InputIssue[],
): InputIssue[] {
  const named = new Set(fromSchema.map(({ path }) => path));
  return [...fromSchema, ...[...unknownKeys, ...fromClass].filter(({ path }) => !named.has(path))];
}

function fail({ descriptor }: RegisteredCapability, issues: InputIssue[]): void {
  const [first] = issues;
  if (!first) return;
  const { id, inputSchema } = descriptor;
  const where = first.path === '' ? '' : ` (${first.path}: ${first.message})`;
  throw new StewardError('INVALID_ACTION_INPUT', `${id} input does not match its schema${where}`, {
    issues: issues.slice(0, MAX_ISSUES),
    inputSchema: compactSchema(inputSchema),
  });
}
