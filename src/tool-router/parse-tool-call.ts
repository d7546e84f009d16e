import { isJsonObject, type JsonObject } from '../common/json.js';
import { StewardError } from '../common/steward-error.js';
import { findCredential, redactCredentials, redactText } from '../tool-output/credential-scan.js';
import type { ToolCallArgs } from '../tool-output/tool-agent-output.js';
import { credentialInInput } from './credential-in-input.js';
import { isStorableText } from '../common/storable-text.js';
import { checkInputLimits } from './input/input-limits.js';
import { parseLosslessJson } from './input/lossless-json.js';
import { nearest } from './input/nearest.js';
import { omittedInput } from './input/omitted-input.js';

const SHAPE = '{"module": "<module>", "method": "<method>", "input": {…}}';
const KEYS = ['module', 'method', 'input'];
/** Keys of the command line form that the protocol had before; it is gone (PROTOCOL §2). */
const OLD_KEYS = ['command', 'subcommand', 'args'];
const MAX_NAME = 64;
const CONTROL = /\p{Cc}/u;

/** A call in its right shape, or what is wrong with it; `args` is safe to record in both cases. */
export type ParsedCall =
  | { args: ToolCallArgs; input: JsonObject; error?: undefined }
  | { args: ToolCallArgs; error: StewardError };

function invalid(message: string): StewardError {
  return new StewardError('INVALID_TOOL_CALL', `${message} A call looks like ${SHAPE}.`);
}

/** A name for the record: as it was said, but bounded, printable and without a credential. */
function safeName(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_NAME || CONTROL.test(value)) return '';
  return isStorableText(value) ? redactText(value) : '';
}

/** What keeps text from being a call: JSON.parse may have accepted it, with a loss. */
function textFault(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return 'The call has a key twice, or a number too large to be exact.';
  } catch {
    return 'The call is not valid JSON.';
  }
  return 'The call is no JSON object.';
}

function shapeError(call: JsonObject): StewardError | null {
  const keys = Object.keys(call);
  const hasOldKey = OLD_KEYS.some((key) => Object.hasOwn(call, key));
  if (hasOldKey) return invalid('The form with command, subcommand and args is gone.');
  const extra = keys.find((key) => !KEYS.includes(key));
  if (extra !== undefined) {
    const meant = nearest(extra, KEYS);
    return invalid(
      meant
        ? `There is an unknown key; did you mean "${meant}"?`
        : 'There is a key beside module, method and input; what a method takes goes into input.',
    );
  }
  for (const key of ['module', 'method']) {
    const name = Object.hasOwn(call, key) ? call[key] : undefined;
    if (typeof name !== 'string' || name === '') return invalid(`${key} must be a string.`);
    if (name.length > MAX_NAME || CONTROL.test(name) || !isStorableText(name)) {
      return invalid(`${key} must be a name of at most ${MAX_NAME} printable characters.`);
    }
  }
  return null;
}

/** The input as an object: absent is `{}`, JSON text is decoded; null for everything else. */
function inputOf(call: JsonObject): JsonObject | null {
  const input = Object.hasOwn(call, 'input') ? call.input : undefined;
  if (input === undefined) return {};
  const decoded = typeof input === 'string' ? parseLosslessJson(input) : input;
  return isJsonObject(decoded) ? decoded : null;
}

/**
 * Reads a call as a door got it (PROTOCOL §2): an object, or JSON text of one as models write it.
 * Never throws. Structures that later steps could not bear (depth, size, `__proto__`) and
 * credentials end here, before anything is looked up.
 */
export function parseToolCall(received: unknown): ParsedCall {
  const call = typeof received === 'string' ? parseLosslessJson(received) : received;
  if (!isJsonObject(call)) {
    const args = { module: '', method: '', input: {} };
    const what = typeof received === 'string' ? textFault(received) : 'The call is no JSON object.';
    return { args, error: invalid(what) };
  }
  const names = { module: safeName(call.module), method: safeName(call.method) };
  const input = inputOf(call);
  const limit = input && checkInputLimits(input);
  const kept = limit ? omittedInput(limit.message) : input && redactCredentials(input);
  const args = { ...names, input: kept ?? {} };
  const credential = findCredential(call);
  const error =
    (credential && credentialInInput(credential.path)) ?? shapeError(call) ?? limit ?? null;
  if (error) return { args, error };
  if (!input) return { args, error: invalid('input must be an object, or JSON text of one.') };
  return { args, input };
}
