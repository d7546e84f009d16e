import { isJsonObject, type JsonObject, type JsonValue } from '../../common/json.js';
import type { Locale } from '../../common/locale.js';
import type { SummaryTemplate } from '../../tool-router/capability.js';
import { TOOL_NAME, type ToolCallArgs, type ToolResult } from '../tool-agent-output.js';
import { cleanText } from './clean-text.js';
import { Facts } from './facts.js';
import { failureSentence, type SummaryError } from './failure-text.js';
import { LEGACY_TOOLS, SUMMARY_RULES, commonSentence } from './rules.js';

/**
 * Version of the rules; stored with every summary. A record keeps the summary it was written with,
 * whatever the rules say later. 2: zero-width characters go, and JSON without a whole key, too.
 */
export const SUMMARY_VERSION = 2;

type Args = ToolCallArgs | JsonObject;

/** A malformed call has no module or method to speak of. */
function isNamed(part: unknown): part is string {
  return typeof part === 'string' && part.trim() !== '';
}

function capabilityOf(toolName: string, args: Args): string | null {
  if (toolName === TOOL_NAME) {
    const { module, method } = args;
    return isNamed(module) && isNamed(method) ? `${module}.${method}` : null;
  }
  if (Object.hasOwn(LEGACY_TOOLS, toolName)) return LEGACY_TOOLS[toolName] ?? null;
  return toolName.includes('.') ? toolName : null;
}

/** The method's data: of a project_cli result its `data`, of an older tool's the whole. */
function dataOf(result: ToolResult | JsonValue): JsonValue {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const { module, method, data } = result;
  if (typeof module === 'string' && typeof method === 'string' && data !== undefined) return data;
  return isJsonObject(result) ? result : null;
}

function inputOf(toolName: string, args: Args): JsonObject {
  const input: unknown = toolName === TOOL_NAME ? args.input : args;
  return isJsonObject(input) ? input : {};
}

/** A template of a module is not ours: what it throws costs its sentence, not the record. */
function fromTemplate(
  template: SummaryTemplate | undefined,
  data: JsonValue,
  input: JsonObject,
  locale: Locale,
): string | null {
  try {
    return template?.(data, input, locale) ?? null;
  } catch {
    return null;
  }
}

/**
 * The one-line summary of a tool call (PROTOCOL §10): the error, else the method's template, else
 * the rule of the method, else what the result says of itself, else `{tool_name} 执行完成`.
 * Pure. The line has at most 120 characters, no newline, no control character and no JSON.
 * @param args `{module, method, input}` of project_cli, or the arguments of an older tool.
 * @param result a ToolResult, or what an older tool returned; null for none.
 */
export function buildToolContentSummary(
  toolName: string,
  args: Args,
  result: ToolResult | JsonValue,
  error: SummaryError | null,
  locale: Locale,
  template?: SummaryTemplate,
): string {
  const name = cleanText(toolName, 60) || TOOL_NAME;
  const capability = capabilityOf(toolName, args);
  const label = cleanText(capability ?? name, 60) || name;
  if (error !== null) return cleanText(failureSentence(error, capability, label, locale));

  const data = dataOf(result);
  const input = inputOf(toolName, args);
  const facts = new Facts(data, input);
  const rule =
    capability !== null && Object.hasOwn(SUMMARY_RULES, capability)
      ? SUMMARY_RULES[capability]
      : undefined;
  const nothingKnown = data === null && Object.keys(input).length === 0;
  const sentences = [
    () => fromTemplate(template, data, input, locale),
    () => (nothingKnown ? null : (rule?.(facts, locale) ?? null)),
    () => commonSentence(facts, label, locale),
  ];
  for (const sentence of sentences) {
    const line = cleanText(sentence() ?? '');
    if (line !== '') return line;
  }
  return locale === 'zh-CN' ? `${name} 执行完成` : `${name} finished`;
}
