import { describe, expect, it } from '@jest/globals';
import type { AppEvent } from '../../src/events/app-event.js';
import { answeredCalls, clientCallFaults, clientCallsOf } from './client-call-rules.js';
import type { Evidence, SeenEvent, SentAnswer } from './evidence.js';

const THREAD = 'thread-1';
const CALL = 'call_1';
/** One that an approval had to come before: no event names it but the end of its run. */
const APPROVED = 'call_2';

const at = { timestamp: 1 };
const pendingCalls = [CALL, APPROVED].map((toolCallId) => ({
  toolCallId,
  name: 'pickColour',
  input: {},
  expiresAt: '2027-05-03T09:00:00.000Z',
}));
const asks: AppEvent = {
  ...at,
  type: 'TOOL_CALL_START',
  runId: 'run_1',
  toolCallId: CALL,
  toolCallName: 'pickColour',
  parentMessageId: 'msg_1',
  client: true,
};
const waits: AppEvent = {
  ...at,
  type: 'RUN_FINISHED',
  runId: 'run_1',
  threadId: THREAD,
  outcome: 'pending',
  pendingCalls,
};
const result = (toolCallId: string, given: string): AppEvent => ({
  ...at,
  type: 'TOOL_CALL_RESULT',
  runId: 'run_2',
  messageId: `msg_${toolCallId}`,
  toolCallId,
  role: 'tool',
  content: `{"status":"success","given":"${given}"}`,
  callId: toolCallId,
  toolName: 'project_cli',
  module: 'client',
  method: 'pickColour',
  args: {},
  status: 'success',
  result: null,
  error: null,
  summary: 'done',
});
const done: AppEvent = {
  ...at,
  type: 'RUN_FINISHED',
  runId: 'run_2',
  threadId: THREAD,
  outcome: 'success',
};
const logOf = (...events: AppEvent[]): SeenEvent[] =>
  events.map((event, index) => ({ id: index + 1, event }));
const run = (id: string, status: string, resumedFrom: string | null) => ({
  id,
  threadId: THREAD,
  status,
  errorCode: null,
  resumedFrom,
  attempts: 0,
});

const [TAKEN, REFUSED] = ['givenp1n1x1a', 'givenp1n1x1b'];
const ANSWERED = logOf(asks, waits, result(CALL, TAKEN), result(APPROVED, TAKEN), done);
const sent = (given: string, runId: SentAnswer['runId'], toolCallId = CALL): SentAnswer => ({
  threadId: THREAD,
  toolCallId,
  given,
  runId,
});
const sound: Evidence = {
  accepted: [],
  runs: [run('run_1', 'succeeded', null), run('run_2', 'succeeded', 'run_1')],
  threads: [{ threadId: THREAD, log: ANSWERED, history: [], pendingCalls: [] }],
  views: [],
  calls: [],
  answers: [sent(TAKEN, 'run_2'), sent(TAKEN, 'run_2', APPROVED), sent(REFUSED, null)],
  effects: [],
  liveCredentials: [],
  strayQuestions: [],
  auditFindings: [],
  complaints: [],
};
const withLog = (log: SeenEvent[], more: object = {}): Partial<Evidence> => ({
  threads: [{ threadId: THREAD, log, history: [], pendingCalls: [], ...more }],
});
const rulesOf = (change: Partial<Evidence>): string[] => [
  ...new Set(clientCallFaults({ ...sound, ...change }).map(({ rule }) => rule)),
];

const ONCE = 'an answer of a client is taken once';
const END = 'a call of a client has its end once nothing waits for it';
const NAMES = 'history names the calls that wait for their client';
const IS_RESULT = 'an answer that was taken is the result';
const IS_NONE = 'an answer that was refused is not the result';
const GOES_ON = 'a run that was answered goes on';

describe('the rules of calls of clients’ tools', () => {
  it.each<[string, Partial<Evidence>]>([
    [
      'was answered, by two requests that say the same',
      { answers: [...sound.answers, ...sound.answers] },
    ],
    [
      'waits',
      {
        ...withLog(logOf(asks, waits), { pendingCalls: [APPROVED, CALL] }),
        runs: [run('run_1', 'waiting', null)],
        answers: [],
      },
    ],
    [
      'was answered, but its client was never told',
      { answers: [sent(TAKEN, undefined), sent(TAKEN, undefined, APPROVED)] },
    ],
    [
      'was given up, and answered too late',
      {
        ...withLog(logOf(asks, waits, result(CALL, 'CANCELLED'), result(APPROVED, ''), done)),
        answers: [sent(REFUSED, null)],
      },
    ],
  ])('find nothing in one that %s', (_what, change) => {
    expect(rulesOf(change)).toEqual([]);
  });

  it.each<[string, Partial<Evidence>, string]>([
    ['two answers that were taken', { answers: [...sound.answers, sent(REFUSED, 'run_2')] }, ONCE],
    ['one answer that two runs took', { answers: [...sound.answers, sent(TAKEN, 'run_3')] }, ONCE],
    [
      'a call with two results',
      withLog(logOf(...ANSWERED.map(({ event }) => event), result(CALL, TAKEN))),
      ONCE,
    ],
    ['a call that was left', withLog(logOf(asks, waits, result(APPROVED, TAKEN), done)), END],
    ['an approved call that was left', withLog(logOf(asks, waits, result(CALL, TAKEN), done)), END],
    [
      'a call that waits and has its result',
      { runs: [run('run_1', 'waiting', null), run('run_2', 'succeeded', 'run_1')] },
      END,
    ],
    ['a call that history still names', withLog(ANSWERED, { pendingCalls: [CALL] }), NAMES],
    [
      'a call that waits and is not in history',
      { ...withLog(logOf(asks, waits)), runs: [run('run_1', 'waiting', null)], answers: [] },
      NAMES,
    ],
    [
      'another answer than the one that was taken',
      withLog(logOf(asks, waits, result(CALL, REFUSED), result(APPROVED, TAKEN), done)),
      IS_RESULT,
    ],
    [
      'a result of an answer that was refused',
      { answers: [sent(TAKEN, null), sent(TAKEN, null, APPROVED)] },
      IS_NONE,
    ],
    [
      'an answer whose run goes on with nothing',
      { runs: [run('run_1', 'succeeded', null), run('run_2', 'succeeded', null)] },
      GOES_ON,
    ],
  ])('find %s', (_what, change, rule) => {
    expect(rulesOf(change)).toContain(rule);
  });

  it('count calls that were handed out, and those that were answered', () => {
    expect([...clientCallsOf(ANSWERED)]).toEqual([CALL, APPROVED]);
    expect(answeredCalls([...sound.answers, ...sound.answers])).toBe(2);
    expect(answeredCalls([sent(TAKEN, null), sent(TAKEN, undefined)])).toBe(0);
  });
});
