import { isErrorCode } from '../common/error-codes.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../common/json.js';
import type { ToolAgentOutput } from './tool-agent-output.js';

/** The part of a record that a projection is made of. */
export type Projectable = Pick<ToolAgentOutput, 'status' | 'result' | 'error'>;

/** What a projection says, read back. */
export type DecodedProjection =
  { status: 'success' | 'partial'; data: JsonValue } | { status: 'failure'; error: JsonObject };

/**
 * True when `data` must stand whole under `data`: it is no object, its keys would hide `status` or
 * `error`, or its only key is `data`, which a reader could not tell from the wrapper.
 */
function mustWrap(data: JsonValue): boolean {
  if (!isJsonObject(data)) return true;
  if (Object.hasOwn(data, 'status') || Object.hasOwn(data, 'error')) return true;
  const keys = Object.keys(data).filter((key) => data[key] !== undefined);
  return keys.length === 1 && keys[0] === 'data';
}

/**
 * The text that a model gets back and that `messages.content` holds (PROTOCOL §7): the JSON
 * projection of the result, without ui_hints and without loss. `decodeProjection` is its inverse.
 */
export function projectResult(record: Projectable): string {
  if (record.error) return JSON.stringify({ status: 'failure', error: record.error });
  const status = record.status === 'partial' ? 'partial' : 'success';
  const data = record.result?.data ?? null;
  if (isJsonObject(data) && !mustWrap(data)) return JSON.stringify({ status, ...data });
  return JSON.stringify({ status, data });
}

/** Size of the projection, in bytes of UTF-8. */
export function projectionBytes(record: Projectable): number {
  return Buffer.byteLength(projectResult(record), 'utf8');
}

/** Reads a projection back; null when `text` is none. */
export function decodeProjection(text: string): DecodedProjection | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(value)) return null;
  const { status, ...members } = value;
  if (status === 'failure') {
    const { error } = members;
    return isJsonObject(error) && isErrorCode(error.code) ? { status, error } : null;
  }
  if (status !== 'success' && status !== 'partial') return null;
  const keys = Object.keys(members);
  if (keys.length === 1 && keys[0] === 'data') return { status, data: members.data ?? null };
  return { status, data: members };
}
