import { Injectable } from '@nestjs/common';
import { newId } from '../common/ids.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { isStoredResult, toCompactResult } from '../events/stored-result.js';
import {
  encodeRecord,
  recordKey,
  type RecordReference,
} from '../tool-output/storage/record-object.js';
import { ToolRecordStore } from '../tool-router/records/tool-record.store.js';
import { ObjectDeletions } from './object-deletions.js';
import { OutputRowRepository, type OutputRow } from './output-row.repository.js';
import { RecordPlacer } from './record-placer.js';

/** Moves a record that could not be stored when it was made (`write_failed`) into the store. */
@Injectable()
export class RecordMover {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly rows: OutputRowRepository,
    private readonly calls: ToolRecordStore,
    private readonly placer: RecordPlacer,
    private readonly deletions: ObjectDeletions,
  ) {}

  /**
   * Writes the object, then changes message, event and call in one transaction. May be repeated, and
   * done by two replicas at once: one of them changes the rows.
   * @throws StewardError when the store does not take the object; nothing is changed then.
   */
  async move(row: OutputRow): Promise<void> {
    const { metadata, threadId, runId } = row;
    if (metadata.storage_state !== 'write_failed') return;
    const { tool_agent_output: record, ...index } = metadata;
    const encoded = encodeRecord(record);
    const callId = await this.calls.idOf(row, metadata.tool_call_id, encoded.sha256);
    const key = recordKey(threadId, runId, callId ?? newId('call'));
    const reference = await this.placer.put(key, encoded);
    await this.uow.run(async () => {
      const locked = await this.rows.lock(row, 'write_failed');
      // The thread was deleted meanwhile, or another replica was quicker.
      if (!locked) return this.deletions.request([key]);
      await this.rows.setMetadata(row, { ...index, storage_state: 'stored', ...reference });
      await this.compactEvent(row, reference);
      if (callId !== null) await this.calls.moveOut(callId, reference);
    });
  }

  private async compactEvent(row: OutputRow, reference: RecordReference): Promise<void> {
    const told = await this.rows.event(row);
    if (told?.event.type !== 'TOOL_CALL_RESULT') return;
    const event = { ...told.event, stored: reference };
    if (isStoredResult(event)) {
      await this.rows.setEvent(row.threadId, told.id, toCompactResult(event));
    }
  }
}
