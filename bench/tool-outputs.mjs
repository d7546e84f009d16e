import { median, report } from './measure.mjs';

const MESSAGES = 50;
const RUN = 'run_tiers';

/** A record of about `bytes` bytes, as a reading method gives it. */
function recordOf(callId, bytes) {
  const call = { module: 'calendar', method: 'read' };
  const items = Array.from({ length: Math.ceil(bytes / 125) }, (_, n) => ({
    id: `evt_${n}`,
    title: `项目会 ${n}`,
    startAt: `2026-04-21T09:${String(n % 60).padStart(2, '0')}:00+08:00`,
    note: Math.sin(n).toString(36),
  }));
  const at = new Date(0).toISOString();
  return {
    tool_name: 'project_cli',
    tool_call_id: callId,
    tool_call_args: { ...call, input: { mode: 'day' } },
    status: 'success',
    result: { ...call, data: { items, count: items.length } },
    error: null,
    ui_hints: null,
    repairs: [],
    summary: `查询到 ${items.length} 条日程`,
    summary_version: 1,
    started_at: at,
    finished_at: at,
  };
}

/** A thread with 50 tool messages of the size given, written as runs write them. */
async function fill(app, ports, userId, threadId, bytes) {
  const { ThreadService } = await import('../dist/src/threads/thread.service.js');
  const { CallAudit } = await import('../dist/src/tool-router/records/call-audit.js');
  const { ToolRecordStore } = await import('../dist/src/tool-router/records/tool-record.store.js');
  const { RunEventWriter } = await import('../dist/src/agent/loop/run-event-writer.js');
  await app.get(ThreadService, { strict: false }).claim(threadId, userId);
  const calls = app.get(ToolRecordStore, { strict: false });
  const audit = app.get(CallAudit, { strict: false });
  const writer = new RunEventWriter(ports, { threadId, runId: RUN });
  const message = { id: 'msg_question', content: 'everything', createdAt: new Date(0) };
  await ports.log.append(threadId, RUN, [{ type: 'RUN_STARTED', threadId, message }]);
  await writer.begin(async () => {});
  const records = Array.from({ length: MESSAGES }, (_, n) =>
    recordOf(`call_${threadId}_${n}`, bytes),
  );
  await writer.endTurn(
    records.map((record) => ({
      id: record.tool_call_id,
      name: record.tool_name,
      arguments: JSON.stringify(record.tool_call_args),
    })),
  );
  const trace = { credentialJti: 'cred_bench', verdict: { effect: 'allow', rule: 'bench' } };
  for (const record of records) {
    const { tool_call_id: toolCallId } = record;
    const key = { runId: RUN, threadId, toolCallId, userId, door: 'agent', trace };
    await calls.insert(key, record, audit.draft(key, record));
    await writer.addResult(record);
  }
}

/** Bytes that all tables hold of a thread, compressed as they lie on disk, for each message. */
async function bytesPerMessage(app, threadId) {
  const { DataSource } = await import('typeorm');
  const [{ bytes }] = await app.get(DataSource, { strict: false }).query(
    `SELECT (SELECT sum(pg_column_size(content) + pg_column_size(metadata))
             FROM agent_messages WHERE thread_id = $1 AND role = 'tool')
          + (SELECT sum(pg_column_size(payload))
             FROM agent_events WHERE thread_id = $1 AND type = 'TOOL_CALL_RESULT')
          + (SELECT coalesce(sum(pg_column_size(record)), 0)
             FROM tool_calls WHERE thread_id = $1) AS bytes`,
    [threadId],
  );
  return Number(bytes) / MESSAGES;
}

/** The two tiers side by side: the same 50 results in the database and in the object store. */
export async function toolOutputs(app, userId) {
  const { APP_CONFIG } = await import('../dist/src/config/app-config.js');
  const { Clock } = await import('../dist/src/common/clock.js');
  const { EventLog } = await import('../dist/src/events/event-log.js');
  const { HistoryService } = await import('../dist/src/history/history.service.js');
  const { OBJECT_STORE } = await import('../dist/src/object-store/object-store.js');
  const { RecordPlacer } = await import('../dist/src/output-storage/record-placer.js');
  const { MessageStore } = await import('../dist/src/threads/message.store.js');
  const { MessageRecords } = await import('../dist/src/tool-output/storage/message-records.js');
  const { RecordReader } = await import('../dist/src/tool-output/storage/record-reader.js');
  const { ToolRecordStore } = await import('../dist/src/tool-router/records/tool-record.store.js');
  const get = (token) => app.get(token, { strict: false });
  const config = get(APP_CONFIG);
  const store = get(OBJECT_STORE);

  for (const bytes of [4_000, 40_000]) {
    const threads = { never: `thr_inline_${bytes}`, always: `thr_stored_${bytes}` };
    for (const [mode, threadId] of Object.entries(threads)) {
      const tiers = { ...config, TOOL_OUTPUT_STORAGE: mode };
      const outputs = new RecordPlacer(store, tiers, get(ToolRecordStore));
      const ports = {
        log: get(EventLog),
        messages: get(MessageStore),
        outputs,
        clock: new Clock(),
        fence: () => undefined,
      };
      await fill(app, ports, userId, threadId, bytes);
    }
    // A reader of its own each time: nothing is cached.
    const page = (threadId) => async () => {
      const records = new MessageRecords(new RecordReader(store, config));
      const history = Object.assign(Object.create(get(HistoryService)), { records });
      const { messages } = await history.page(userId, { threadId, limit: MESSAGES });
      if (messages.some((message) => message.degraded)) throw new Error('a result is missing');
    };
    report(
      `History page of ${MESSAGES} tool messages of ${bytes / 1000} kB`,
      ['inline', await median(page(threads.never), { runs: 15 })],
      ['stored, nothing cached', await median(page(threads.always), { runs: 15 })],
    );
    report(
      `PostgreSQL for a tool message of ${bytes / 1000} kB (message, event and call)`,
      ['stored', await bytesPerMessage(app, threads.always)],
      ['inline', await bytesPerMessage(app, threads.never)],
      'bytes',
    );
  }
}
