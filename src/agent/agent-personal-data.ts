import { Inject, Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '../common/json.js';
import { StewardError } from '../common/steward-error.js';
import { PersonalData } from '../database/personal-data.js';
import { OBJECT_STORE, type ObjectStore } from '../object-store/object-store.js';
import type { RecordReference } from '../tool-output/storage/record-object.js';
import { RecordReader } from '../tool-output/storage/record-reader.js';

const THREADS = 'SELECT id FROM agent_threads WHERE user_id = $1';

/**
 * Which rows of conversations are about a user. Records of the stored tier and the files themselves are
 * fetched from the object store; what is no longer there is marked `contentMissing`.
 */
@Injectable()
export class AgentPersonalData {
  constructor(
    data: PersonalData,
    private readonly records: RecordReader,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {
    data.register([
      {
        kind: 'thread',
        table: 'agent_threads',
        ofUser: 't.user_id = $1',
        key: { id: 'text' },
        omit: ['last_seq'],
      },
      {
        kind: 'message',
        table: 'agent_messages',
        ofUser: `t.thread_id IN (${THREADS})`,
        key: { thread_id: 'text', id: 'text' },
      },
      {
        kind: 'run',
        table: 'agent_runs',
        ofUser: 't.user_id = $1',
        key: { id: 'text' },
        omit: ['request_hash', 'instance_id', 'lease_until', 'attempts', 'fair_at'],
      },
      {
        kind: 'tool_call',
        table: 'tool_calls',
        ofUser: 't.user_id = $1',
        key: { id: 'text' },
        complete: (row) => this.withRecord(row),
      },
      {
        kind: 'attachment',
        table: 'attachments',
        ofUser: 't.user_id = $1',
        key: { id: 'text' },
        complete: (row) => this.withContent(row),
      },
      { kind: 'interrupt', table: 'interrupts', ofUser: 't.user_id = $1', key: { id: 'text' } },
      {
        kind: 'approval_rule',
        table: 'approval_rules',
        ofUser: 't.user_id = $1',
        key: { id: 'text' },
      },
    ]);
  }

  private async withRecord(row: JsonObject): Promise<JsonObject> {
    const reference = referenceOf(row);
    if (!reference) return row;
    const record: unknown = await this.records.tryRead(reference);
    return isJsonObject(record) ? { ...row, record } : { ...row, contentMissing: true };
  }

  private async withContent(row: JsonObject): Promise<JsonObject> {
    const { storage_path: path, ...facts } = row;
    if (typeof path !== 'string') return facts;
    try {
      return { ...facts, content: (await this.store.get(path)).toString('base64') };
    } catch (error) {
      if (!(error instanceof StewardError) || error.code !== 'NOT_FOUND') throw error;
      return { ...facts, contentMissing: true };
    }
  }
}

/** Where the record of a row lies, when it is not in the row. */
function referenceOf(row: JsonObject): RecordReference | null {
  const { storage_bucket, storage_path, payload_bytes, payload_sha256 } = row;
  return typeof storage_bucket === 'string' &&
    typeof storage_path === 'string' &&
    typeof payload_bytes === 'number' &&
    typeof payload_sha256 === 'string'
    ? { storage_bucket, storage_path, payload_bytes, payload_sha256 }
    : null;
}
