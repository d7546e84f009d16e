import { answeredCalls, clientCallsOf } from './client-call-rules.js';
import { FROZEN } from './disturbances.js';
import type { Evidence, Fault, SeenEvent } from './evidence.js';
import type { Journal } from './journal.js';
import type { Kill } from './killer.js';

/** Figures of one course of events. */
export interface Report {
  form: string;
  seed: number;
  seconds: number;
  kills: number;
  /** So many were wanted; fewer were made where the time did not do. */
  killsAsked: number;
  /** Of the kills: what was killed, where a deployment has several roles. */
  killsByRole: Record<string, number>;
  /** Longest time from a kill until the process was ready again, in milliseconds. */
  longestDownMs: number;
  /** Times that a process stood still. */
  freezes: number;
  /** All disturbances other than kills, by kind. */
  disturbances: Record<string, number>;
  runs: number;
  /** Of the runs: how they ended, `waiting` among them; those that failed by their code. */
  byStatus: Record<string, number>;
  byCode: Record<string, number>;
  /** Runs whose process died, and which another execution brought to an end. */
  takenUp: number;
  events: number;
  calls: number;
  effects: number;
  reconnects: number;
  cancels: number;
  resumes: number;
  /** Calls that were left to clients, and those of them of which an answer was taken. */
  clientCalls: number;
  clientAnswers: number;
  /** In which ways clients answered, or did not. */
  clientWays: Record<string, number>;
  refusals: Record<string, number>;
  /** Longest silence within a run that began before a kill and ended after it, in milliseconds. */
  longestTakeUpMs: number;
  faults: Fault[];
}

/** Gathers the figures; pure. */
export function report(
  about: Pick<Report, 'form' | 'seed' | 'seconds' | 'killsAsked' | 'disturbances'>,
  {
    kills,
    journal,
    evidence,
    faults,
  }: {
    kills: readonly Kill[];
    journal: Journal;
    evidence: Evidence;
    faults: Fault[];
  },
): Report {
  const { runs, threads } = evidence;
  return {
    ...about,
    kills: kills.length,
    freezes: about.disturbances[FROZEN] ?? 0,
    killsByRole: counted(kills.map(({ role }) => role)),
    longestDownMs: Math.max(0, ...kills.map(({ downMs }) => downMs)),
    runs: runs.length,
    byStatus: counted(runs.map(({ status }) => status)),
    byCode: counted(runs.flatMap(({ errorCode }) => (errorCode === null ? [] : [errorCode]))),
    takenUp: runs.filter(({ attempts }) => attempts > 0).length,
    events: threads.reduce((sum, { log }) => sum + log.length, 0),
    calls: evidence.calls.length,
    effects: evidence.effects.length,
    reconnects: journal.reconnects,
    cancels: journal.cancels,
    resumes: journal.resumes,
    clientCalls: threads.reduce((sum, { log }) => sum + clientCallsOf(log).size, 0),
    clientAnswers: answeredCalls(evidence.answers),
    clientWays: { ...journal.ways },
    refusals: Object.fromEntries(journal.refusals),
    longestTakeUpMs: longestTakeUp(
      threads.map(({ log }) => log),
      kills.map(({ at }) => at.getTime()),
    ),
    faults,
  };
}

/** The longest time between two events of one run with a kill between them, in milliseconds. */
export function longestTakeUp(logs: readonly SeenEvent[][], kills: readonly number[]): number {
  let longest = 0;
  for (const log of logs) {
    for (const [index, { event }] of log.entries()) {
      const before = log[index - 1]?.event;
      if (!before || before.runId !== event.runId) continue;
      const killed = kills.some((at) => before.timestamp < at && at <= event.timestamp);
      if (killed) longest = Math.max(longest, event.timestamp - before.timestamp);
    }
  }
  return longest;
}

/** The figures of one form, a line for each. */
export function lines(one: Report): string {
  const list = (counts: Record<string, number>): string =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  const rows: [string, string | number][] = [
    ['seed', one.seed],
    ['seconds', one.seconds],
    ['kills', `${killsIn(one)} (${list(one.killsByRole)})`],
    ['other disturbances', list(one.disturbances)],
    ['runs', `${one.runs} (${list(one.byStatus)})`],
    ['failed with', list(one.byCode)],
    ['taken up after a crash', one.takenUp],
    ['events · calls · effects', `${one.events} · ${one.calls} · ${one.effects}`],
    ["calls of clients' tools", `${one.clientCalls}, ${one.clientAnswers} answered`],
    ['what their clients did', list(one.clientWays)],
    ['reconnects · cancels · answers', `${one.reconnects} · ${one.cancels} · ${one.resumes}`],
    [
      'longest silence over a kill',
      `${one.longestTakeUpMs} ms (down up to ${one.longestDownMs} ms)`,
    ],
    ['faults', one.faults.length],
    // At once: the course that comes next may be ended before anything else is told.
    ...one.faults.slice(0, 10).map((fault): [string, string] => ['fault', JSON.stringify(fault)]),
  ];
  return [`chaos: ${one.form}`, ...rows.map(([name, value]) => `  ${name}: ${value}`)].join('\n');
}

function killsIn({ kills, killsAsked }: Report): string {
  return kills < killsAsked ? `${kills} of ${killsAsked}` : String(kills);
}

const COLUMNS: [string, (one: Report) => string | number][] = [
  ['form', ({ form }) => form],
  ['seconds', ({ seconds }) => seconds],
  ['kills', killsIn],
  ['freezes', ({ freezes }) => freezes],
  ['runs', ({ runs }) => runs],
  ['taken up', ({ takenUp }) => takenUp],
  ['failed', ({ byStatus }) => byStatus['failed'] ?? 0],
  ['events', ({ events }) => events],
  ['effects', ({ effects }) => effects],
  ['client calls answered', ({ clientAnswers }) => clientAnswers],
  ['reconnects', ({ reconnects }) => reconnects],
  ['longest silence', ({ longestTakeUpMs }) => `${(longestTakeUpMs / 1000).toFixed(1)} s`],
  ['longest start', ({ longestDownMs }) => `${(longestDownMs / 1000).toFixed(1)} s`],
  ['faults', ({ faults }) => faults.length],
];

/** The figures of all forms, a row for each, as a table that Markdown reads too. */
export function table(reports: readonly Report[]): string {
  const rows = [
    COLUMNS.map(([name]) => name),
    ...reports.map((one) => COLUMNS.map(([, read]) => String(read(one)))),
  ];
  const widths = COLUMNS.map((_column, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const [head = '', ...body] = rows.map(
    (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [head, rule, ...body].join('\n');
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
