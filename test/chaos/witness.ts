import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { AppEvent } from '../../src/events/app-event.js';
import type { PendingCall } from '../../src/events/run-event.js';
import type { ChatItem } from '../../src/history/chat-item.js';
import type { ApiClient } from '../support/api-client.js';
import { markOf } from './marks.js';
import type { CallFacts, Evidence, RunFacts, SeenEvent, ThreadFacts } from './evidence.js';

const AUDIT = resolve(import.meta.dirname, '../../scripts/audit.mjs');
const REST_MS = 60_000;

/** What the rows say, once no run is under way any more. */
export type Rows = Pick<
  Evidence,
  'runs' | 'calls' | 'effects' | 'liveCredentials' | 'strayQuestions'
>;

/** Waits until no run is queued or running, up to a bound: what is then still open is a fault. */
export async function untilAtRest(databaseUrl: string): Promise<void> {
  const deadline = Date.now() + REST_MS;
  await withDatabase(databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ active: number }>(
        `SELECT count(*)::int AS active FROM agent_runs WHERE status IN ('queued', 'running')`,
      );
      if (rows[0]?.active === 0 || Date.now() > deadline) return;
      await delay(200);
    }
  });
}

/** Reads the tables. */
export async function readRows(databaseUrl: string): Promise<Rows> {
  return withDatabase(databaseUrl, async (client) => {
    const runs = await client.query<RunFacts>(
      `SELECT id, thread_id AS "threadId", status, error_code AS "errorCode",
              resumed_from AS "resumedFrom", attempts FROM agent_runs`,
    );
    const calls = await client.query<CallFacts>(
      `SELECT thread_id AS "threadId", tool_call_id AS "toolCallId", status,
              concat_ws(' ', run_id, module || '.' || method, door, status, code, started_at,
                finished_at) AS about
       FROM tool_calls WHERE thread_id IS NOT NULL`,
    );
    const effects = await client.query<{ mark: string }>(
      `SELECT title AS mark FROM calendar_events UNION ALL SELECT name FROM contacts`,
    );
    const credentials = await client.query<{ run_id: string }>(
      `SELECT c.run_id FROM credentials c JOIN agent_runs r ON r.id = c.run_id AND r.user_id = c.user_id
       WHERE c.revoked_at IS NULL AND c.expires_at > now() AND r.status NOT IN ('queued', 'running')`,
    );
    const questions = await client.query<{ runId: string; status: string }>(
      `SELECT r.id AS "runId", r.status FROM interrupts i
       JOIN agent_runs r ON r.id = i.run_id AND r.user_id = i.user_id
       WHERE i.resolved_at IS NULL AND r.status <> 'waiting'`,
    );
    return {
      strayQuestions: questions.rows,
      runs: runs.rows,
      calls: calls.rows,
      effects: effects.rows.map(({ mark }) => markOf(mark) ?? mark),
      liveCredentials: credentials.rows.map(({ run_id }) => run_id),
    };
  });
}

/** A thread as its person gets it now: the events from the first on, and all pages of history. */
export async function readThread(person: ApiClient, threadId: string): Promise<ThreadFacts> {
  const log: SeenEvent[] = [];
  const path = `/agent/runs/${threadId}`;
  for await (const { id, event } of person.frames(`${path}/events?after=0`)) {
    log.push({ id: Number(id), event: event as AppEvent });
  }
  const history: ChatItem[] = [];
  const pendingCalls: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await person.get(`${path}/history?limit=50${cursor}`);
    if (status !== 200) throw new Error(`history of ${threadId}: ${status}`);
    const waiting = body.pendingCalls as PendingCall[];
    if (cursor === '') pendingCalls.push(...waiting.map(({ toolCallId }) => toolCallId));
    history.unshift(...(body.messages as ChatItem[]));
    cursor =
      body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(String(body.nextCursor))}`;
  } while (cursor !== '');
  return { threadId, log, history, pendingCalls };
}

/** What `audit verify` says is wrong with the database of a deployment that has stopped. */
export async function auditFindings(env: Record<string, string>): Promise<string[]> {
  const { PATH = '' } = process.env;
  return new Promise((settle) => {
    execFile(
      process.execPath,
      [AUDIT, 'verify', '--json'],
      { env: { PATH, LOG_LEVEL: 'silent', ...env } },
      (error, stdout, stderr) => settle(error ? [`${stdout}${stderr}`.slice(0, 2_000)] : []),
    );
  });
}

async function withDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
