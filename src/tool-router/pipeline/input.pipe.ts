import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { JsonObject } from '../../common/json.js';
import { StewardError, type InputIssue } from '../../common/steward-error.js';
import { findCredential } from '../../tool-output/credential-scan.js';
import { credentialInInput } from '../credential-in-input.js';
import { validateByClass } from '../input/class-validation.js';
import { cloneJson } from '../input/clone-json.js';
import { deepFreeze } from '../input/deep-freeze.js';
import { checkInputLimits } from '../input/input-limits.js';
import { repairInput } from '../input/repair.js';
import { schemaIssues } from '../input/schema-issues.js';
import { compactSchema } from '../schema/compact-schema.js';
import { isValidationClass } from '../schema/dto-schema.js';
import type { ToolInvocation } from '../tool-invocation.js';

const MAX_ISSUES = 20;

/**
 * Input repair and full validation (PROTOCOL §6), bound to every `@CliInput()`. It takes the call,
 * leaves the repaired input and the repairs on it, and gives the handler a frozen instance of its
 * input class; a dynamic method gets frozen JSON.
 */
export class InputPipe implements PipeTransform<ToolInvocation, Promise<object>> {
  /** @throws StewardError INVALID_ACTION_INPUT with issues and the compact schema. */
  async transform(invocation: ToolInvocation, _metadata: ArgumentMetadata): Promise<object> {
    const { inputSchema, registration } = invocation.capability;
    const { input, repairs } = repairInput(inputSchema, invocation.rawInput);
    if (repairs.length > 0) assertUnpacked(input);

    // Without `null` and wrong types, which some class rules wave through.
    const fromSchema = schemaIssues(inputSchema.faults(input));
    let value: object = cloneJson(input);
    if ('inputType' in registration && isValidationClass(registration.inputType)) {
      const { instance, issues, unknownKeys } = await validateByClass(
        registration.inputType,
        input,
      );
      value = instance;
      fail(invocation, merge(fromSchema, issues, unknownKeys));
    } else {
      fail(invocation, fromSchema);
    }
    invocation.input = deepFreeze(cloneJson(input));
    invocation.repairs = repairs;
    return deepFreeze(value);
  }
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

function fail({ capability }: ToolInvocation, issues: InputIssue[]): void {
  const [first] = issues;
  if (!first) return;
  const { id, inputSchema } = capability.descriptor;
  const where = first.path === '' ? '' : ` (${first.path}: ${first.message})`;
  throw new StewardError('INVALID_ACTION_INPUT', `${id} input does not match its schema${where}`, {
    issues: issues.slice(0, MAX_ISSUES),
    inputSchema: compactSchema(inputSchema),
  });
}
