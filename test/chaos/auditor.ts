import { isDeepStrictEqual } from 'node:util';
import type { AppEvent } from '../../src/events/app-event.js';
import { ChatFold } from '../../web/client/src/chat-fold.js';
import { grammarFaults } from '../support/run-grammar.js';
import { markOf } from './marks.js';
import { clientCallFaults, clientCallsOf } from './client-call-rules.js';
import { grouped } from './grouped.js';
import type { Evidence, Fault, SeenEvent, ThreadFacts, View } from './evidence.js';

/** A call as its thread's log tells it. */
interface ToldCall {
  threadId: string;
  toolCallId: string;
  mark: string | null;
  /** Status in its result; null while it has none. */
  status: string | null;
}

const ENDS = new Set(['RUN_FINISHED', 'RUN_ERROR']);
const FINAL = new Set(['succeeded', 'failed', 'cancelled']);

/**
 * Judges a deployment by its rows and by what its clients saw, once everything has come to rest
 * (PROTOCOL §12): nothing accepted is lost, every run has one end, every stream tells the log, every
 * effect is there once. @returns what is wrong; empty when nothing is.
 */
export function audit(evidence: Evidence): Fault[] {
  return [
    ...endings(evidence),
    ...evidence.threads.flatMap((thread) => logFaults(thread, evidence)),
    ...evidence.threads.flatMap(historyFaults),
    ...evidence.views.flatMap((view) => viewFaults(view, evidence.threads)),
    ...effectFaults(evidence),
    ...clientCallFaults(evidence),
    ...evidence.liveCredentials.map((runId) => ({
      rule: 'the credential of an ended run is revoked',
      where: runId,
      what: 'it is not',
    })),
    ...evidence.strayQuestions.map(({ runId, status }) => ({
      rule: 'only a run that waits has an open question',
      where: runId,
      what: `it has one and is ${status}`,
    })),
    ...evidence.auditFindings.map((what) => ({ rule: 'the audit verifies', where: 'audit', what })),
    ...evidence.complaints.map((what) => ({ rule: 'clients are served', where: 'clients', what })),
  ];
}

/** Every accepted run is there and has come to its end, or waits for its person. */
function endings({ accepted, runs, threads }: Evidence): Fault[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const events = new Map(threads.map(({ threadId, log }) => [threadId, log]));
  const lost = accepted.filter(({ runId }) => !byId.has(runId));
  const open = runs.filter(({ status }) => !FINAL.has(status) && status !== 'waiting');
  const untold = runs.flatMap((run) => {
    const ends = (events.get(run.threadId) ?? []).filter(
      ({ event }) => event.runId === run.id && ENDS.has(event.type),
    );
    return ends.length === 1 ? [] : [{ run, ends: ends.length }];
  });
  return [
    ...lost.map(({ runId }) => ({
      rule: 'no accepted run is lost',
      where: runId,
      what: 'no such run',
    })),
    ...open.map(({ id, status }) => ({
      rule: 'every run ends',
      where: id,
      what: `it is still ${status}`,
    })),
    ...untold.map(({ run, ends }) => ({
      rule: 'every run has one terminal event',
      where: run.id,
      what: `${ends} of them, the run is ${run.status}`,
    })),
  ];
}

/** Ids grow by one; the events of each run follow the grammar. */
function logFaults({ threadId, log }: ThreadFacts, { runs }: Evidence): Fault[] {
  const faults: Fault[] = [];
  const gap = log.findIndex(({ id }, index) => id !== index + 1);
  if (gap >= 0) {
    faults.push({
      rule: 'ids of a thread grow by one',
      where: threadId,
      what: `place ${gap + 1} has ${log[gap]?.id}`,
    });
  }
  const byRun = grouped(log, ({ event }) => event.runId);
  const resumed = new Map(runs.map((run) => [run.id, run.resumedFrom]));
  const clients = [...clientCallsOf(log)];
  const open = new Map<string, string[]>();
  for (const [runId, seen] of byRun) {
    const inherited = open.get(resumed.get(runId) ?? '') ?? [];
    for (const what of grammarFaults(eventsOf(seen), inherited, clients)) {
      faults.push({ rule: 'the events of a run follow the grammar', where: runId, what });
    }
    open.set(runId, openCalls(inherited, seen));
  }
  return faults;
}

/** Folding the log gives the history. */
function historyFaults({ threadId, log, history }: ThreadFacts): Fault[] {
  const fold = new ChatFold();
  for (const event of eventsOf(log)) fold.apply(event);
  if (isDeepStrictEqual(plain(fold.items), plain(history))) return [];
  const at = fold.items.findIndex(
    (item, index) => !isDeepStrictEqual(plain(item), plain(history[index])),
  );
  return [
    {
      rule: 'history is the fold of the log',
      where: threadId,
      what: `item ${at}: ${JSON.stringify(fold.items[at])} is in history ${JSON.stringify(history[at])}`,
    },
  ];
}

/** What a client saw is a part of the log without a gap, a repeat or another word. */
function viewFaults({ threadId, by, seen }: View, threads: readonly ThreadFacts[]): Fault[] {
  const fault = (what: string): Fault => ({
    rule: 'a client sees the log, each event once and in order',
    where: `${threadId} (${by})`,
    what,
  });
  const log = new Map(
    threads.find((one) => one.threadId === threadId)?.log.map((one) => [one.id, one]),
  );
  const first = seen[0]?.id ?? 1;
  const wrong = seen.findIndex(({ id }, index) => id !== first + index);
  const faults =
    wrong < 0 ? [] : [fault(`${seen[wrong - 1]?.id} is followed by ${seen[wrong]?.id}`)];
  for (const { id, event } of seen) {
    const logged = log.get(id)?.event;
    if (logged && (isDeepStrictEqual(event, logged) || isDegraded(event) || isDegraded(logged)))
      continue;
    faults.push(fault(`event ${id} was ${JSON.stringify(event)}, it is ${JSON.stringify(logged)}`));
    break;
  }
  return faults;
}

/** What a call says is what was done: once for each success, never for what failed or never ran. */
function effectFaults({ threads, calls, effects }: Evidence): Fault[] {
  const faults: Fault[] = [];
  const records = grouped(calls, ({ threadId, toolCallId }) => `${threadId} ${toolCallId}`);
  const succeeded = new Map<string, number>();
  for (const told of threads.flatMap(({ threadId, log }) => toldCalls(threadId, log))) {
    const where = `${told.threadId} ${told.toolCallId}`;
    const all = records.get(where) ?? [];
    const [record] = all;
    if (all.length > 1) {
      const what = all.map(({ status, about }) => about ?? status).join('; ');
      faults.push({ rule: 'a call has one record', where, what });
    }
    if (record && told.status !== null && record.status !== told.status) {
      const what = `recorded as ${record.status}, told as ${told.status}`;
      faults.push({ rule: 'a result tells its record', where, what });
    }
    if (!record && told.status === 'success') {
      faults.push({ rule: 'a result tells its record', where, what: 'there is no record' });
    }
    if (told.mark !== null && record?.status === 'success') {
      succeeded.set(told.mark, (succeeded.get(told.mark) ?? 0) + 1);
    }
  }
  const written = new Map<string, number>();
  for (const mark of effects) written.set(mark, (written.get(mark) ?? 0) + 1);
  for (const mark of new Set([...succeeded.keys(), ...written.keys()])) {
    const [done, said] = [written.get(mark) ?? 0, succeeded.get(mark) ?? 0];
    if (done === said && done <= 1) continue;
    faults.push({
      rule: 'an effect is there once for each call that succeeded, and once in all',
      where: mark,
      what: `written ${done} times, recorded as successful ${said} times`,
    });
  }
  return faults;
}

function toldCalls(threadId: string, log: readonly SeenEvent[]): ToldCall[] {
  const calls = new Map<string, { args: string; status: string | null }>();
  const clients = clientCallsOf(log);
  for (const event of eventsOf(log)) {
    if (event.type === 'TOOL_CALL_START') calls.set(event.toolCallId, { args: '', status: null });
    const call = 'toolCallId' in event ? calls.get(event.toolCallId) : undefined;
    if (call && event.type === 'TOOL_CALL_ARGS') call.args += event.delta;
    if (call && event.type === 'TOOL_CALL_RESULT') call.status = event.status;
  }
  return [...calls].map(([toolCallId, { args, status }]) => ({
    threadId,
    toolCallId,
    // What a client carries out writes nothing here.
    mark: clients.has(toolCallId) ? null : markOf(args),
    status,
  }));
}

/** Calls that a run leaves open, of its own and of those that the run before it had left. */
function openCalls(inherited: readonly string[], log: readonly SeenEvent[]): string[] {
  const open = new Set(inherited);
  for (const event of eventsOf(log)) {
    if (event.type === 'TOOL_CALL_END') open.add(event.toolCallId);
    if (event.type === 'TOOL_CALL_RESULT') open.delete(event.toolCallId);
  }
  return [...open];
}

function eventsOf(seen: readonly SeenEvent[]): AppEvent[] {
  return seen.map(({ event }) => event);
}

function isDegraded(event: AppEvent): boolean {
  return event.type === 'TOOL_CALL_RESULT' && 'degraded' in event;
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
