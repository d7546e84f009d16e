import { Inject, Injectable, Logger } from '@nestjs/common';
import { newId } from '../common/ids.js';
import { within } from '../common/within.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { OBJECT_STORE, type ObjectStore } from '../object-store/object-store.js';
import type { Placement } from '../tool-output/storage/placement.js';
import {
  encodeRecord,
  recordKey,
  type EncodedRecord,
  type RecordReference,
} from '../tool-output/storage/record-object.js';
import { tierOf } from '../tool-output/storage/storage-policy.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';
import { ToolRecordStore } from '../tool-router/records/tool-record.store.js';

/** The run in whose thread a record is placed. */
export interface RunOfRecord {
  threadId: string;
  runId: string;
}

/** A record that has its place, before the rows say so. */
export interface PlacedRecord {
  placement: Placement;
  /** Row of `tool_calls` that still holds the same record; null when no row does. */
  callId: string | null;
}

type PlacerConfig = Pick<
  AppConfig,
  'TOOL_OUTPUT_STORAGE' | 'TOOL_OUTPUT_INLINE_MAX_BYTES' | 'TOOL_OUTPUT_WRITE_TIMEOUT_MS'
>;

/**
 * Puts records where they belong (PROTOCOL §9). The object is written first and in no transaction;
 * then message, event and call say in one transaction where it lies. Whatever fails in between, the
 * record still stands in `tool_calls`, under whose id the object is written again.
 */
@Injectable()
export class RecordPlacer {
  private readonly logger = new Logger(RecordPlacer.name);

  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(APP_CONFIG) private readonly config: PlacerConfig,
    private readonly calls: ToolRecordStore,
  ) {}

  /**
   * Writes the object of a record that belongs into the stored tier. A store that fails or is late
   * costs nothing but the placement: `write_failed`.
   * @throws what the database throws.
   */
  async place(record: ToolAgentOutput, run: RunOfRecord): Promise<PlacedRecord> {
    const encoded = encodeRecord(record);
    const policy = {
      mode: this.config.TOOL_OUTPUT_STORAGE,
      inlineMaxBytes: this.config.TOOL_OUTPUT_INLINE_MAX_BYTES,
    };
    if (tierOf(policy, encoded.bytes) === 'inline') {
      return { placement: { state: 'inline' }, callId: null };
    }
    const callId = await this.calls.idOf(run, record.tool_call_id, encoded.sha256);
    const key = recordKey(run.threadId, run.runId, callId ?? newId('call'));
    try {
      const reference = await this.put(key, encoded);
      return { placement: { state: 'stored', reference }, callId };
    } catch (error) {
      this.logger.warn(`The record ${key} stays in the database for now: ${String(error)}`);
      return { placement: { state: 'write_failed' }, callId };
    }
  }

  /** In the transaction of the rows that refer to the object: the call refers to it as well. */
  async commit({ placement, callId }: PlacedRecord): Promise<void> {
    if (placement.state !== 'stored' || callId === null) return;
    await this.calls.moveOut(callId, placement.reference);
  }

  /** Writes one object within the write deadline. @throws StewardError as ObjectStore.put; TIMEOUT. */
  async put(key: string, { body, bytes, sha256 }: EncodedRecord): Promise<RecordReference> {
    await within(this.config.TOOL_OUTPUT_WRITE_TIMEOUT_MS, (signal) =>
      this.store.put(key, body, { contentType: 'application/json', signal }),
    );
    return {
      storage_bucket: this.store.bucket,
      storage_path: key,
      payload_bytes: bytes,
      payload_sha256: sha256,
    };
  }
}
