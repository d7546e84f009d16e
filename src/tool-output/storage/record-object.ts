import { createHash } from 'node:crypto';
import { isJsonObject } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import { objectKey } from '../../object-store/object-key.js';
import type { ToolAgentOutput } from '../tool-agent-output.js';

/** Where a record lies that is not in its row; the names of `messages.metadata` (PROTOCOL §9). */
export interface RecordReference {
  storage_bucket: string;
  storage_path: string;
  /** Size of the object, in bytes. */
  payload_bytes: number;
  /** SHA-256 of the object, in hex. */
  payload_sha256: string;
}

/** A record as the bytes of an object. */
export interface EncodedRecord {
  body: Buffer;
  bytes: number;
  sha256: string;
}

/** First segment of the keys of all records. */
export const RECORD_ROOT = 'tool-outputs';

/** JSON text of the record, its keys in the order in which they were answered. */
export function encodeRecord(record: ToolAgentOutput): EncodedRecord {
  const body = Buffer.from(JSON.stringify(record), 'utf8');
  return { body, bytes: body.length, sha256: sha256(body) };
}

/**
 * Reads an object back.
 * @throws StewardError DEPENDENCY_UNAVAILABLE when it is not, to the byte, what the reference names.
 */
export function decodeRecord(body: Buffer, reference: RecordReference): ToolAgentOutput {
  const intact =
    body.length === reference.payload_bytes && sha256(body) === reference.payload_sha256;
  const record: unknown = intact ? JSON.parse(body.toString('utf8')) : null;
  if (isRecord(record)) return record;
  throw new StewardError('DEPENDENCY_UNAVAILABLE', 'A stored tool output is damaged.');
}

/**
 * Key of a record (PROTOCOL §9): `tool-outputs/{thread}/{run}/{call}.json`.
 * @param callId an id of ours that names this call alone, never the model's text.
 */
export function recordKey(threadId: string, runId: string, callId: string): string {
  return `${objectKey(RECORD_ROOT, threadId, runId, callId)}.json`;
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** The checksum says that the bytes are ours; this, that they are of a record. */
function isRecord(value: unknown): value is ToolAgentOutput {
  return (
    isJsonObject(value) &&
    typeof value.tool_call_id === 'string' &&
    isJsonObject(value.tool_call_args) &&
    typeof value.status === 'string' &&
    typeof value.summary === 'string'
  );
}
