import { newId } from '../../common/ids.js';
import type { NewRunEvent } from '../../events/run-event.js';
import type { PlacedRecord, RecordPlacer } from '../../output-storage/record-placer.js';
import { projectResult } from '../../tool-output/projection.js';
import { toResultFacts } from '../../tool-output/result-facts.js';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import { toToolMessage } from '../../tool-output/tool-message.js';
import type { Row, RunPlace } from './run-rows.js';

/** A call's result: its event, its row, and its record, whose placement commits with both. */
export interface RunResult {
  event: Omit<Extract<NewRunEvent, { type: 'TOOL_CALL_RESULT' }>, 'type'>;
  row: Row;
  placed: PlacedRecord;
}

/** A record as a result of its run, placed (PROTOCOL §9). */
export async function toRunResult(
  record: ToolAgentOutput,
  run: RunPlace,
  outputs: Pick<RecordPlacer, 'place'>,
  id = newId('msg'),
): Promise<RunResult> {
  const placed = await outputs.place(record, run);
  const { placement } = placed;
  const event = {
    messageId: id,
    toolCallId: record.tool_call_id,
    content: projectResult(record),
    tool: toResultFacts(record),
    ...(placement.state === 'stored' && { stored: placement.reference }),
  };
  const message = toToolMessage(record, run.runId, placement);
  return { event, row: { ...run, id, role: 'tool', ...message }, placed };
}
