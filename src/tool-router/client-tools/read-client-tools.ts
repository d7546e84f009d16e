import { CLIENT_TOOL_NAME } from '../../common/capability-id.js';
import { isJsonObject, type JsonValue } from '../../common/json.js';
import type { InputIssue } from '../../common/steward-error.js';
import { TOOL_NAME } from '../../tool-output/tool-agent-output.js';
import { hasCredentialText } from '../../tool-output/credential-text.js';
import { credentialInInput } from '../credential-in-input.js';
import { checkInputLimits } from '../input/input-limits.js';
import {
  MAX_CLIENT_TOOLS,
  MAX_CLIENT_TOOLS_BYTES,
  MAX_DESCRIPTION_LENGTH,
  type ClientTool,
} from './client-tool.js';
import { MAX_SCHEMAS_TOGETHER, readToolSchema } from './tool-schema.js';

/** Names that reach a prototype when somebody looks them up carelessly. */
const PROTOTYPE_WORDS = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'then',
]);

/**
 * Reads the `tools` of a request (AG-UI's Tool: `name`, `description`, `parameters`); what an entry has
 * besides is left alone. Whatever is wrong with them is told, and then none of them counts.
 * @param path of them in the request.
 * @throws StewardError CREDENTIAL_IN_INPUT for tools that carry one: a model reads them.
 */
export function readClientTools(
  tools: JsonValue | undefined,
  path: string,
  issues: InputIssue[],
): ClientTool[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools) || tools.length > MAX_CLIENT_TOOLS) {
    const expected = `array of at most ${MAX_CLIENT_TOOLS}`;
    issues.push({ path, message: 'must be a list of tools', expected });
    return [];
  }
  const known = tools.map((tool) =>
    isJsonObject(tool)
      ? { name: tool.name, description: tool.description, parameters: tool.parameters }
      : tool,
  );
  if (Buffer.byteLength(JSON.stringify(known)) > MAX_CLIENT_TOOLS_BYTES) {
    const message = `have more than ${MAX_CLIENT_TOOLS_BYTES} bytes together`;
    issues.push({ path, message });
    return [];
  }
  const names = new Set<string>();
  let schemas = 0;
  return known.flatMap((tool, index) => {
    const found = readTool(tool, `${path}.${index}`, names);
    if ('issues' in found) {
      issues.push(...found.issues);
      return [];
    }
    const before = schemas;
    schemas += found.size;
    if (before <= MAX_SCHEMAS_TOGETHER && schemas > MAX_SCHEMAS_TOGETHER) {
      const message = `have more than ${MAX_SCHEMAS_TOGETHER} schemas together, references followed`;
      issues.push({ path, message });
    }
    return [found.tool];
  });
}

function readTool(
  tool: unknown,
  path: string,
  names: Set<string>,
): { tool: ClientTool; size: number } | { issues: InputIssue[] } {
  const fault = (at: string, message: string, expected: string) => ({
    issues: [{ path: at, message, expected }],
  });
  if (!isJsonObject(tool)) return fault(path, 'must be a tool', 'object');
  const { name, description, parameters } = tool;
  if (typeof name !== 'string' || !CLIENT_TOOL_NAME.test(name) || PROTOTYPE_WORDS.has(name)) {
    return fault(`${path}.name`, 'is not the name of a tool', '1 to 64 of A-Z a-z 0-9 _ -');
  }
  // In a stream it would pass for the one tool that the model has (PROTOCOL §2).
  if (name === TOOL_NAME) return fault(`${path}.name`, 'is reserved', 'another name');
  if (names.has(name)) return fault(`${path}.name`, 'stands twice', 'another name');
  names.add(name);
  if (
    typeof (description ?? '') !== 'string' ||
    wordsOf(description).length > MAX_DESCRIPTION_LENGTH
  ) {
    const expected = `at most ${MAX_DESCRIPTION_LENGTH} characters`;
    return fault(`${path}.description`, 'must be a text', expected);
  }
  const unfit = checkInputLimits({ description: description ?? '', parameters: parameters ?? {} });
  if (unfit) return { issues: (unfit.details.issues ?? []).map((issue) => under(path, issue)) };
  // That a field is called `password` is no credential; a token in an example is.
  if (hasCredentialText(JSON.stringify([name, description, parameters]))) {
    throw credentialInInput(path);
  }
  const read = readToolSchema(parameters, `${path}.parameters`);
  if (read.issues) return read;
  const { schema, size } = read;
  return { tool: { name, description: wordsOf(description), parameters: schema }, size };
}

function wordsOf(description: JsonValue | undefined): string {
  return typeof description === 'string' ? description : '';
}

function under(path: string, issue: InputIssue): InputIssue {
  return { ...issue, path: issue.path === '' ? path : `${path}.${issue.path}` };
}
