import type { AppEvent } from '../../src/events/app-event.js';
import type { Evidence, Fault, SeenEvent, SentAnswer, ThreadFacts } from './evidence.js';
import { grouped } from './grouped.js';
import { givenOf } from './marks.js';

/** Ids of the calls of a thread that a client carries out, also those that an approval had to come before. */
export function clientCallsOf(log: readonly SeenEvent[]): Set<string> {
  const ids = new Set<string>();
  for (const { event } of log) {
    if (event.type === 'TOOL_CALL_START' && event.client) ids.add(event.toolCallId);
    for (const id of pendingIn(event)) ids.add(id);
  }
  return ids;
}

/** Calls of which a client's answer went on with the run, each once. */
export function answeredCalls(answers: readonly SentAnswer[]): number {
  const taken = answers.filter(({ runId }) => typeof runId === 'string');
  return new Set(taken.map(({ threadId, toolCallId }) => `${threadId} ${toolCallId}`)).size;
}

/**
 * What must hold of calls of clients' tools (PROTOCOL §12; AG-UI 1.0): each has one end, an answer that was
 * taken is it, and nothing waits for what is over. @returns what is wrong.
 */
export function clientCallFaults(evidence: Evidence): Fault[] {
  return [
    ...evidence.threads.flatMap((thread) => endFaults(thread, evidence)),
    ...answerFaults(evidence),
  ];
}

/** A call has its result, or a run of the thread waits for it; history names what waits. */
function endFaults({ threadId, log, pendingCalls }: ThreadFacts, { runs }: Evidence): Fault[] {
  const waiting = new Set(runs.filter(({ status }) => status === 'waiting').map(({ id }) => id));
  const waits = new Set(
    log.flatMap(({ event }) => (waiting.has(event.runId) ? pendingIn(event) : [])),
  );
  const results = new Set(resultsIn(log).keys());
  const open = [...clientCallsOf(log)].filter((id) => !results.has(id));
  const rule = 'a call of a client has its end once nothing waits for it';
  const [shown, named] = [pendingCalls, [...waits]].map((ids) => ids.toSorted().join(', '));
  return [
    ...open.flatMap((id) =>
      waits.has(id) ? [] : [{ rule, where: `${threadId} ${id}`, what: 'it has no result' }],
    ),
    ...[...waits].flatMap((id) =>
      results.has(id) ? [{ rule, where: `${threadId} ${id}`, what: 'it has one and waits' }] : [],
    ),
    ...(shown === named
      ? []
      : [
          {
            rule: 'history names the calls that wait for their client',
            where: threadId,
            what: `[${shown}] instead of [${named}]`,
          },
        ]),
  ];
}

/** One answer of all that were sent for a call is taken, by one run, and that is what the log tells. */
function answerFaults({ answers, threads, runs }: Evidence): Fault[] {
  const faults: Fault[] = [];
  const logs = new Map(threads.map(({ threadId, log }) => [threadId, log]));
  const resumed = new Map(runs.map(({ id, resumedFrom }) => [id, resumedFrom]));
  const calls = grouped(answers, ({ threadId, toolCallId }) => `${threadId} ${toolCallId}`);
  for (const [where, sent] of calls) {
    const fault = (rule: string, what: string): void => void faults.push({ rule, where, what });
    const taken = sent.filter(({ runId }) => typeof runId === 'string');
    const by = new Set(taken.map(({ runId, given }) => `${given} by ${runId}`));
    if (by.size > 1) fault('an answer of a client is taken once', [...by].join(', '));
    const [first] = sent;
    const log = logs.get(first?.threadId ?? '') ?? [];
    const told = resultsIn(log).get(first?.toolCallId ?? '') ?? [];
    if (told.length > 1) fault('an answer of a client is taken once', `${told.length} results`);
    const given = givenOf(told[0] ?? '');
    const known = sent.filter((one) => one.given === given);
    if (taken.length > 0 && !taken.some((one) => one.given === given)) {
      fault('an answer that was taken is the result', `it is ${told[0] ?? 'missing'}`);
    }
    if (given !== null && known.every(({ runId }) => runId === null)) {
      fault('an answer that was refused is not the result', `it is ${told[0]}`);
    }
    const asked = log.findLast(({ event }) => pendingIn(event).includes(first?.toolCallId ?? ''));
    for (const { runId } of taken) {
      if (!runId || resumed.get(runId) === asked?.event.runId) continue;
      fault('a run that was answered goes on', `${asked?.event.runId} was left for ${runId}`);
    }
  }
  return faults;
}

/** The results of a thread by their calls, as a model and a client read them. */
function resultsIn(log: readonly SeenEvent[]): Map<string, string[]> {
  const results = new Map<string, string[]>();
  for (const { event } of log) {
    if (event.type !== 'TOOL_CALL_RESULT') continue;
    results.set(event.toolCallId, [...(results.get(event.toolCallId) ?? []), event.content]);
  }
  return results;
}

function pendingIn(event: AppEvent): string[] {
  if (event.type !== 'RUN_FINISHED' || !('pendingCalls' in event)) return [];
  return (event.pendingCalls ?? []).map(({ toolCallId }) => toolCallId);
}
