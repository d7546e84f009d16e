import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AppEvent } from '../../src/events/app-event.js';
import { encodeApp } from '../../src/events/encode-app.js';
import { toChatItems } from '../support/chat-items.js';
import { play } from '../support/run-script.js';
import { audit } from './auditor.js';
import type { Evidence, SeenEvent } from './evidence.js';
import { longestTakeUp } from './report.js';

const THREAD = 'thread-1';
const RUN = 'run_1';
const MARK = 'chaosp1n1w0w0';
const at = <T>(list: readonly T[], index: number): T => {
  const found = list.at(index);
  if (found === undefined) throw new Error(`nothing at ${index}`);
  return found;
};

/** An auditor that finds nothing is only worth something when it finds what is there. */
describe('the auditor', () => {
  let sound: Evidence;

  beforeAll(async () => {
    const { events, messages } = await play(
      {
        question: MARK,
        turns: [
          {
            pieces: ['I write', ' it.'],
            calls: [{ input: { title: MARK }, status: 'success', card: true }],
          },
        ],
        unfinished: ['Done.'],
        outcome: 'success',
      },
      THREAD,
      RUN,
    );
    const log = events.map((logged) => ({
      id: logged.id,
      event: JSON.parse(JSON.stringify(encodeApp(logged, false))) as AppEvent,
    }));
    const result = log.find(({ event }) => event.type === 'TOOL_CALL_RESULT')?.event;
    if (result?.type !== 'TOOL_CALL_RESULT') throw new Error('no result');
    const run = { id: RUN, threadId: THREAD, status: 'succeeded', errorCode: null };
    sound = {
      accepted: [{ threadId: THREAD, runId: RUN }],
      runs: [{ ...run, resumedFrom: null, attempts: 0 }],
      threads: [{ threadId: THREAD, log, history: toChatItems(messages), pendingCalls: [] }],
      views: [{ threadId: THREAD, by: 'p1 talks', seen: log.slice(3) }],
      calls: [{ threadId: THREAD, toolCallId: result.toolCallId, status: 'success' }],
      answers: [],
      effects: [MARK],
      liveCredentials: [],
      strayQuestions: [],
      auditFindings: [],
      complaints: [],
    };
  });

  const rulesOf = (change: (evidence: Evidence) => Partial<Evidence>): string[] => {
    const faults = audit({ ...sound, ...change(sound) });
    return [...new Set(faults.map(({ rule }) => rule))];
  };
  const withLog = (change: (log: SeenEvent[]) => SeenEvent[]) => (evidence: Evidence) => ({
    threads: evidence.threads.map((thread) => ({ ...thread, log: change(thread.log) })),
  });
  const withView = (change: (seen: SeenEvent[]) => SeenEvent[]) => (evidence: Evidence) => ({
    views: evidence.views.map((view) => ({ ...view, seen: change(view.seen) })),
  });

  it('finds nothing where nothing is wrong', () => {
    expect(audit(sound)).toEqual([]);
  });

  it.each<[string, (evidence: Evidence) => Partial<Evidence>, string]>([
    [
      'an accepted run without a row',
      () => ({ accepted: [{ threadId: THREAD, runId: 'run_lost' }] }),
      'no accepted run is lost',
    ],
    [
      'a run under way',
      ({ runs }) => ({ runs: runs.map((run) => ({ ...run, status: 'running' })) }),
      'every run ends',
    ],
    [
      'a run whose end nobody was told',
      withLog((log) => log.slice(0, -1)),
      'every run has one terminal event',
    ],
    [
      'a run with two ends',
      withLog((log) => [...log, { ...at(log, -1), id: log.length + 1 }]),
      'every run has one terminal event',
    ],
    [
      'a gap in the ids',
      withLog((log) => log.map((one) => (one.id > 4 ? { ...one, id: one.id + 1 } : one))),
      'ids of a thread grow by one',
    ],
    [
      'a text that was never closed',
      withLog((log) => log.filter(({ event }) => event.type !== 'TEXT_MESSAGE_END')),
      'the events of a run follow the grammar',
    ],
    [
      'another text in history',
      ({ threads }) => ({
        threads: threads.map((thread) => ({
          ...thread,
          history: thread.history.map((item) => ({ ...item, content: `${item.content}!` })),
        })),
      }),
      'history is the fold of the log',
    ],
    [
      'an item too few in history',
      ({ threads }) => ({
        threads: threads.map((thread) => ({ ...thread, history: thread.history.slice(1) })),
      }),
      'history is the fold of the log',
    ],
    [
      'an item too many in history',
      ({ threads }) => ({
        threads: threads.map((thread) => ({
          ...thread,
          history: [...thread.history, at(thread.history, 0)],
        })),
      }),
      'history is the fold of the log',
    ],
    [
      'a client that missed an event',
      withView((seen) => seen.filter((_one, index) => index !== 2)),
      'a client sees the log, each event once and in order',
    ],
    [
      'a client that got an event twice',
      withView((seen) => [...seen.slice(0, 3), ...seen.slice(2)]),
      'a client sees the log, each event once and in order',
    ],
    [
      'a client that saw what is not in the log',
      withView((seen) =>
        seen.map((one) => ({
          ...one,
          event: { ...one.event, timestamp: one.event.timestamp + 1 },
        })),
      ),
      'a client sees the log, each event once and in order',
    ],
    [
      'a client that saw more than there is',
      withView((seen) => [...seen, { ...at(seen, -1), id: at(seen, -1).id + 1 }]),
      'a client sees the log, each event once and in order',
    ],
    [
      'an effect that is missing',
      () => ({ effects: [] }),
      'an effect is there once for each call that succeeded, and once in all',
    ],
    [
      'an effect that is there twice',
      () => ({ effects: [MARK, MARK] }),
      'an effect is there once for each call that succeeded, and once in all',
    ],
    [
      'an effect of a call that failed',
      ({ calls }) => ({ calls: calls.map((call) => ({ ...call, status: 'failure' })) }),
      'an effect is there once for each call that succeeded, and once in all',
    ],
    [
      'an effect that no call tells of',
      () => ({ effects: [MARK, 'chaosp9n9w0w0'] }),
      'an effect is there once for each call that succeeded, and once in all',
    ],
    [
      'a result that is not what was recorded',
      ({ calls }) => ({ calls: calls.map((call) => ({ ...call, status: 'failure' })) }),
      'a result tells its record',
    ],
    ['a success without a record', () => ({ calls: [] }), 'a result tells its record'],
    [
      'a call with two records',
      ({ calls }) => ({ calls: [...calls, ...calls] }),
      'a call has one record',
    ],
    [
      'a question of a run that has ended',
      () => ({ strayQuestions: [{ runId: RUN, status: 'succeeded' }] }),
      'only a run that waits has an open question',
    ],
    [
      'a credential that outlives its run',
      () => ({ liveCredentials: [RUN] }),
      'the credential of an ended run is revoked',
    ],
    ['a broken audit', () => ({ auditFindings: ['row 3'] }), 'the audit verifies'],
    ['a client in vain', () => ({ complaints: ['p1: no end'] }), 'clients are served'],
  ])('finds %s', (_what, change, rule) => {
    expect(rulesOf(change)).toContain(rule);
  });
});

describe('the figures', () => {
  it('take the longest silence that a kill fell into, of one run', () => {
    const event = (timestamp: number, runId = RUN): SeenEvent['event'] => ({
      type: 'STEP_STARTED',
      stepName: 'intent',
      timestamp,
      runId,
    });
    const log = [
      event(100),
      event(200),
      event(900),
      event(5_000, 'run_2'),
      event(9_000, 'run_2'),
    ].map((one, index) => ({ id: index + 1, event: one }));
    expect(longestTakeUp([log], [150, 300])).toBe(700);
    expect(longestTakeUp([log], [1_000])).toBe(0);
    expect(longestTakeUp([log], [])).toBe(0);
  });
});
