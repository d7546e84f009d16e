import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '../../test/support/database.js';
import { openLog, type TestLog } from '../../test/support/event-log.js';
import { MemoryObjectStore } from '../../test/support/memory-object-store.js';
import { projectResult } from '../tool-output/projection.js';
import { toResultFacts } from '../tool-output/result-facts.js';
import { encodeRecord, type RecordReference } from '../tool-output/storage/record-object.js';
import type { ToolAgentOutput } from '../tool-output/tool-agent-output.js';
import type { LoggedEvent, NewRunEvent } from './run-event.js';

const record = (id: string, size: number): ToolAgentOutput => ({
  tool_name: 'project_cli',
  tool_call_id: id,
  tool_call_args: { module: 'calendar', method: 'read', input: { mode: 'day' } },
  status: 'success',
  result: { module: 'calendar', method: 'read', data: { text: 'x'.repeat(size) } },
  error: null,
  ui_hints: null,
  repairs: [],
  summary: `result ${id}`,
  summary_version: 1,
  started_at: '2026-04-21T00:00:00.000Z',
  finished_at: '2026-04-21T00:00:00.010Z',
});

describe('results that lie in the object store', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let store: MemoryObjectStore;
  let writer: TestLog;
  let reader: TestLog;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await reader?.close();
    await writer?.close();
    store = new MemoryObjectStore();
    writer = await openLog(database.url, { store });
    reader = await openLog(database.url, { store });
  });
  afterAll(async () => {
    await reader.close();
    await writer.close();
  });

  async function stored(output: ToolAgentOutput): Promise<NewRunEvent> {
    const { body, bytes, sha256 } = encodeRecord(output);
    const reference: RecordReference = {
      storage_bucket: store.bucket,
      storage_path: `tool-outputs/t/r/${output.tool_call_id}.json`,
      payload_bytes: bytes,
      payload_sha256: sha256,
    };
    await store.put(reference.storage_path, body);
    return { ...told(output), stored: reference };
  }

  const told = (output: ToolAgentOutput) => ({
    type: 'TOOL_CALL_RESULT' as const,
    messageId: `msg_${output.tool_call_id}`,
    toolCallId: output.tool_call_id,
    content: projectResult(output),
    tool: toResultFacts(output),
  });

  /** The first `count` events as a follower of the log gets them. */
  async function follow(log: TestLog, threadId: string, count: number): Promise<LoggedEvent[]> {
    const found: LoggedEvent[] = [];
    const signal = new AbortController().signal;
    for await (const logged of log.events.follow(threadId, 0, signal)) {
      if (found.push(logged) === count) break;
    }
    return found;
  }

  it('are whole for followers of the process that wrote them, without the store', async () => {
    const threadId = await writer.thread();
    const output = record('call_1', 30_000);
    await writer.events.append(threadId, 'r', [await stored(output)]);
    store.mood = 'fails';
    const [logged] = await follow(writer, threadId, 1);
    expect(logged?.event).toMatchObject(told(output));
    expect(logged?.event).not.toHaveProperty('stored');
    expect(store.asked.filter((what) => what.startsWith('get'))).toEqual([]);
  });

  it('are read for everybody else, and told as degraded while that fails', async () => {
    const threadId = await writer.thread();
    const output = record('call_1', 30_000);
    await writer.events.append(threadId, 'r', [await stored(output)]);
    store.mood = 'fails';
    const [degraded] = await follow(reader, threadId, 1);
    expect(degraded?.event).toMatchObject({
      content: 'result call_1',
      degraded: true,
      tool: {
        args: { module: 'calendar', method: 'read' },
        status: 'success',
        result: null,
        ui_schema: null,
      },
    });
    expect(degraded?.event).not.toHaveProperty('stored');
    store.mood = 'well';
    const [whole] = await follow(reader, threadId, 1);
    expect(whole?.event).toMatchObject(told(output));
    expect(whole?.event).not.toHaveProperty('degraded');
  });

  it('keep their order, and only a bounded number of them is read ahead', async () => {
    const threadId = await writer.thread();
    const outputs = Array.from({ length: 40 }, (_, n) => record(`call_${n}`, 20_000));
    for (const output of outputs) {
      await writer.events.append(threadId, 'r', [
        await stored(output),
        { type: 'TOOL_CALL_END', toolCallId: output.tool_call_id },
      ]);
    }
    store.asked.length = 0;
    const events = reader.events.follow(threadId, 0, new AbortController().signal);
    const first = await events.next();
    expect(first.value?.id).toBe(1);
    expect(store.asked.length).toBeLessThanOrEqual(16);
    await events.return();
    const all = await follow(reader, threadId, 80);
    expect(all.map(({ id }) => id)).toEqual(all.map((_, n) => n + 1));
    const contents = all.flatMap(({ event }) =>
      event.type === 'TOOL_CALL_RESULT' ? [event.content] : [],
    );
    expect(contents).toEqual(outputs.map((output) => projectResult(output)));
  });

  it('take little room in the database', async () => {
    const threadId = await writer.thread();
    await writer.events.append(threadId, 'r', [await stored(record('call_1', 500_000))]);
    const [row] = await writer.dataSource.query<{ payload_bytes: number }[]>(
      'SELECT payload_bytes FROM agent_events WHERE thread_id = $1',
      [threadId],
    );
    expect(row?.payload_bytes).toBeLessThan(1_000);
  });
});
