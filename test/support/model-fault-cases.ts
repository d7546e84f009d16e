import type { TextKey } from '../../src/agent/texts.js';
import type { ErrorCode } from '../../src/common/error-codes.js';
import { callReply, chunk, textReply, usageChunk, type ModelReply } from './model-server.js';

/** Settings under which the cases end as they say: a failing model is asked twice, runs end early. */
export const MODEL_FAULT_ENV = {
  CLI_EXECUTOR: 'inline',
  // Short for those that are silent, and long for those that only have a busy machine.
  MODEL_FIRST_BYTE_TIMEOUT_MS: '2000',
  MODEL_TIMEOUT_MS: '2000',
  MODEL_MAX_ATTEMPTS: '2',
  MODEL_RETRY_BASE_MS: '1',
  RUN_MAX_IDENTICAL_CALLS: '3',
  RUN_MAX_CALLS: '6',
  RUN_MAX_TOKENS: '100000',
};

/** What a model does, and how a run with it ends. */
export interface ModelFault {
  name: string;
  replies: ModelReply[];
  /** Code of the RUN_ERROR; absent where the run succeeds. */
  code?: ErrorCode;
  /** What the person reads at the end; absent for the model's own `Done.`. */
  says?: TextKey;
  /** Codes of the calls' results, null for one that went well. */
  results?: (ErrorCode | null)[];
  /** Notices of further tries. */
  retries?: number;
  /** Texts of the run's messages, `…` behind one that was broken off, where there is more than the answer. */
  texts?: string[];
}

const SILENT: ModelReply = { lines: [], headers: 'never' };
const DONE = textReply('Done.');

const begins = (text: string, ...rest: ModelReply['lines']): ModelReply => ({
  lines: [chunk({ content: text }), ...rest],
});

const fails = (status: number, error: object = { message: 'oops' }, headers = {}): ModelReply => ({
  status,
  headers,
  lines: [{ error }],
});

const search = (query: string) => ({ module: 'help', method: 'search', input: { query } });

const rawCall = (name: string, args: string): ModelReply => ({
  lines: [
    chunk({ tool_calls: [{ index: 0, id: 'c', function: { name, arguments: args } }] }),
    chunk({}, 'tool_calls'),
    usageChunk(7, 3),
    '[DONE]',
  ],
});

const expensive: ModelReply = {
  lines: [...callReply(search('x')).lines.slice(0, -2), usageChunk(90_000, 10_000), '[DONE]'],
};

const LONG = 'x'.repeat(64 * 1024);

const MANY_CALLS = Array.from({ length: 200 }, (_, index) => ({
  index,
  function: { name: 'project_cli', arguments: JSON.stringify(search(String(index))) },
}));

/** Everything that a model may do wrong; the product allows two tries, six calls, 100,000 tokens. */
export const MODEL_FAULTS: readonly ModelFault[] = [
  {
    name: 'never answers',
    replies: [SILENT, SILENT],
    code: 'TIMEOUT',
    says: 'modelTimeout',
    retries: 1,
  },
  {
    name: 'falls silent in its answer',
    replies: [
      { ...begins('Once'), end: 'hang' },
      { ...begins('On'), end: 'hang' },
    ],
    code: 'TIMEOUT',
    says: 'modelTimeout',
    retries: 1,
    texts: ['Once…'],
  },
  {
    name: 'streams garbage',
    replies: [{ lines: ['data: {"choi\n\n'] }, { lines: ['\u0001\u0002 garbage\n\n'] }],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'modelUnavailable',
    retries: 1,
  },
  {
    name: 'closes before it says anything',
    replies: [{ lines: [] }, { lines: [10], end: 'break' }],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'modelUnavailable',
    retries: 1,
  },
  {
    name: 'closes in its answer',
    replies: [begins('Once'), begins('Once', chunk({ content: ' upon' }))],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'brokenStream',
    retries: 1,
    texts: ['Once upon…'],
  },
  {
    name: 'breaks off in its answer',
    replies: [{ ...begins('Once', 20), end: 'break' }, fails(503)],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'brokenStream',
    retries: 1,
    texts: ['Once…'],
  },
  {
    name: 'breaks off in its answer, and then says all of it',
    replies: [{ ...begins('Do', 20), end: 'break' }, DONE],
    retries: 1,
  },
  {
    name: 'tells of an error in its answer, and then says something else',
    replies: [begins('Once', { error: { message: 'oops' } }), DONE],
    retries: 1,
    texts: ['Once…', 'Done.'],
  },
  {
    name: 'breaks off between calls, and makes them again',
    replies: [
      begins('Look.', ...callReply(search('a'), search('b')).lines.slice(0, 1)),
      callReply(search('a')),
      DONE,
    ],
    retries: 1,
    results: [null],
    texts: ['Look.…', 'Done.'],
  },
  {
    name: 'breaks off in its reasoning, and not again',
    replies: [{ lines: [chunk({ reasoning_content: 'Hm' }), 20], end: 'break' }, DONE],
    retries: 1,
  },
  {
    name: 'tells of an error in its stream',
    replies: [
      { lines: [{ error: { message: 'oops' } }] },
      { lines: [{ object: 'error', message: 'oops', code: 500 }] },
    ],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'modelUnavailable',
    retries: 1,
  },
  {
    name: 'gives up',
    replies: [
      { lines: [chunk({}, 'network_error')] },
      { lines: [chunk({}, 'insufficient_system_resource')] },
    ],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'modelUnavailable',
    retries: 1,
  },
  {
    name: 'says the same for ever',
    replies: [
      {
        lines: Array.from({ length: 300 }, () =>
          chunk({ content: 'Let me look again. '.repeat(4) }),
        ),
      },
    ],
    code: 'LIMIT_EXCEEDED',
    says: 'repeatingText',
  },
  {
    name: 'writes a line without end',
    replies: [{ lines: ['data: ', ...Array.from({ length: 40 }, () => LONG)], end: 'hang' }],
    code: 'LIMIT_EXCEEDED',
    says: 'answerTooLong',
  },
  {
    name: 'makes more calls than a turn may',
    replies: [{ lines: [chunk({ tool_calls: MANY_CALLS })], end: 'hang' }],
    code: 'LIMIT_EXCEEDED',
    says: 'answerTooLong',
  },
  {
    name: 'answers, and adds a call that is none',
    replies: [
      { lines: [chunk({ content: 'Done.', tool_calls: [{}] }), chunk({}, 'stop'), '[DONE]'] },
    ],
  },
  {
    name: 'is still being loaded',
    replies: [fails(409), DONE],
    retries: 1,
  },
  {
    name: 'calls a function that there is not',
    replies: [rawCall('calendar_write', '{}'), DONE],
    results: ['INVALID_TOOL_CALL'],
  },
  {
    name: 'writes arguments that are no JSON',
    replies: [rawCall('project_cli', '{"module":"help","method":'), DONE],
    results: ['INVALID_TOOL_CALL'],
  },
  {
    name: 'makes two calls at once',
    replies: [callReply(search('a'), search('b')), DONE],
    results: [null, null],
  },
  {
    name: 'ends with nothing',
    replies: [textReply()],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'emptyAnswer',
  },
  {
    name: 'reasons only',
    replies: [{ lines: [chunk({ reasoning_content: 'Hm' }), chunk({}, 'stop'), '[DONE]'] }],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'emptyAnswer',
  },
  {
    name: 'tells of calls and makes none',
    replies: [{ lines: [chunk({}, 'tool_calls'), '[DONE]'] }, DONE],
    retries: 1,
  },
  {
    name: 'finds a message too long that cannot be shortened',
    replies: [fails(400, { message: 'Prompt 超长', code: '1261' })],
    code: 'LIMIT_EXCEEDED',
    says: 'contextTooLong',
  },
  {
    name: 'is busy',
    replies: [fails(429, {}, { 'retry-after-ms': '3' }), fails(429)],
    code: 'RATE_LIMITED',
    says: 'modelBusy',
    retries: 1,
  },
  {
    name: 'is busy for longer than a run waits',
    replies: [fails(429, {}, { 'retry-after': '3600' })],
    code: 'RATE_LIMITED',
    says: 'modelBusy',
  },
  { name: 'is busy for a moment', replies: [fails(429), DONE], retries: 1 },
  {
    name: 'has no means',
    replies: [fails(429, { code: '1113', message: 'no balance' })],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'modelRefused',
  },
  {
    name: 'is down',
    replies: [fails(503), fails(500)],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'modelUnavailable',
    retries: 1,
  },
  { name: 'is down for a moment', replies: [fails(502), DONE], retries: 1 },
  {
    name: 'does not know the key',
    replies: [fails(401)],
    code: 'DEPENDENCY_UNAVAILABLE',
    says: 'modelRefused',
  },
  {
    name: 'is held back by a filter',
    replies: [fails(400, { code: 'data_inspection_failed', message: 'x' })],
    says: 'withheld',
  },
  {
    name: 'makes the same call again and again',
    replies: [callReply(search('a')), callReply(search('a')), callReply(search('a'))],
    code: 'LIMIT_EXCEEDED',
    says: 'repeating',
    results: [null, null, 'LIMIT_EXCEEDED'],
  },
  {
    name: 'makes two calls in turn, again and again',
    replies: ['a', 'b', 'a', 'b', 'a', 'b'].map((query) => callReply(search(query))),
    code: 'LIMIT_EXCEEDED',
    says: 'repeating',
    results: [null, null, null, null, null, 'LIMIT_EXCEEDED'],
  },
  {
    name: 'makes more calls than a run may',
    replies: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((query) => callReply(search(query))),
    code: 'LIMIT_EXCEEDED',
    says: 'tooManyCallsInRun',
    results: [null, null, null, null, null, null, 'LIMIT_EXCEEDED'],
  },
  {
    name: 'takes more tokens than a run may',
    replies: [expensive],
    code: 'LIMIT_EXCEEDED',
    says: 'tooManyTokens',
    results: ['CANCELLED'],
  },
];
