import { median, middle, often, report } from './measure.mjs';

const BATCH = 500;

/** What the audit adds to a tool call, and what sealing costs behind it. */
export async function audit(app, userId) {
  const { DataSource } = await import('typeorm');
  const { AuditSealer } = await import('../dist/src/audit/audit-sealer.js');
  const { AuditTrail } = await import('../dist/src/audit/audit-trail.js');
  const { CallAudit } = await import('../dist/src/tool-router/records/call-audit.js');
  const { ToolRecordStore } = await import('../dist/src/tool-router/records/tool-record.store.js');
  const get = (type) => app.get(type, { strict: false });
  const [database, sealer, trail] = [get(DataSource), get(AuditSealer), get(AuditTrail)];
  const [calls, store] = [get(CallAudit), get(ToolRecordStore)];

  const record = {
    tool_name: 'project_cli',
    tool_call_args: { module: 'help', method: 'methods', input: {} },
    status: 'success',
    result: { module: 'help', method: 'methods', data: { text: 'x'.repeat(1000) } },
    error: null,
    started_at: new Date().toISOString(),
    finished_at: new Date().toISOString(),
  };
  const trace = { credentialJti: 'cred_bench', verdict: { effect: 'allow', rule: 'bench' } };
  const alone = (i) =>
    database.query(
      `INSERT INTO tool_calls (id, run_id, thread_id, tool_call_id, user_id, module, method, status,
                               code, door, record, started_at, finished_at)
       VALUES ($1, NULL, NULL, $1, $2, 'help', 'methods', 'success', NULL, 'http', $3, now(), now())
       ON CONFLICT (user_id, run_id, tool_call_id) DO NOTHING RETURNING id`,
      [`call_alone_${i}`, userId, JSON.stringify(record)],
    );
  const audited = (i) => {
    const toolCallId = `call_audited_${i}`;
    const key = { runId: null, threadId: null, toolCallId, userId, door: 'http', trace };
    return store.insert(key, record, calls.draft(key, record));
  };
  // In turns, so that both meet the same moments of the machine.
  const turns = { alone: [], audited: [] };
  for (let i = 0; i < often(400); i += 1) {
    turns.alone.push(await median(() => alone(i), { runs: 1, warmup: 0 }));
    turns.audited.push(await median(() => audited(i), { runs: 1, warmup: 0 }));
  }
  report(
    'Recording a tool call',
    ['the record alone', middle(turns.alone)],
    ['with its entry in the audit', middle(turns.audited)],
  );

  await sealer.seal();
  const recordAll = () =>
    Promise.all(
      Array.from({ length: BATCH }, () =>
        trail.record({ kind: 'sign_in', actor: userId, outcome: 'success' }),
      ),
    );
  const times = { record: [], seal: [] };
  for (let round = 0; round < often(5); round += 1) {
    times.record.push(await median(recordAll, { runs: 1, warmup: 0 }));
    times.seal.push(await median(() => sealer.seal(), { runs: 1, warmup: 0 }));
  }
  report(
    `${BATCH} entries of the audit`,
    ['recorded', middle(times.record)],
    ['sealed', middle(times.seal)],
  );
}
