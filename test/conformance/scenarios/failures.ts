import type { ErrorCode } from '../../../src/common/error-codes.js';
import type { ChatChunk } from '../../../src/agent/models/chat-model.js';
import { StewardError } from '../../../src/common/steward-error.js';
import { callsTool, says, type ScriptedTurn } from '../../support/scripted-model.js';
import { thinks, type Expectation, type Scenario } from './scenario.js';

const fails = (code: ErrorCode): ScriptedTurn => [new StewardError(code, 'The endpoint said no.')];
const SAYS_HALF: ChatChunk = { type: 'text', delta: 'Half an' };
const LIST = { module: 'notes', method: 'list', input: {} };

/** A run that ends in an error: [name, the model's turns, code, what else]. */
const FAILURES: [string, ScriptedTurn[], string, Expectation?][] = [
  [
    'a model that cannot be reached',
    [fails('DEPENDENCY_UNAVAILABLE'), fails('DEPENDENCY_UNAVAILABLE')],
    'DEPENDENCY_UNAVAILABLE',
    { has: ['CUSTOM'] },
  ],
  [
    'a model that is too busy',
    [fails('RATE_LIMITED'), fails('RATE_LIMITED')],
    'RATE_LIMITED',
    { has: ['CUSTOM'] },
  ],
  ['a model that is late', [fails('TIMEOUT'), fails('TIMEOUT')], 'TIMEOUT', { has: ['CUSTOM'] }],
  ['a model that breaks', [[new Error('secret detail')]], 'INTERNAL'],
  ['an empty answer', [says('')], 'DEPENDENCY_UNAVAILABLE', { roles: [] }],
  [
    'a stream that breaks off in a text',
    [[SAYS_HALF], [SAYS_HALF]],
    'DEPENDENCY_UNAVAILABLE',
    { texts: ['Half an'], has: ['CUSTOM'] },
  ],
  [
    'a stream that breaks off in reasoning',
    [[{ type: 'reasoning', delta: 'Half a' }], [{ type: 'reasoning', delta: 'Again' }]],
    'DEPENDENCY_UNAVAILABLE',
    { roles: ['reasoning', 'reasoning'] },
  ],
  [
    'the same call again and again',
    Array.from({ length: 12 }, () => callsTool(LIST)),
    'LIMIT_EXCEEDED',
  ],
];

export const FAILURE_SCENARIOS: Scenario[] = [
  ...FAILURES.map(([name, model, code, more]): Scenario => ({
    name,
    steps: () => [
      { say: 'x', model, expect: { ends: 'RUN_ERROR', code, status: 'failed', ...more } },
      { say: 'and now?', model: [says('Here I am.')], expect: { texts: ['Here I am.'] } },
    ],
  })),
  {
    name: 'a failure that a second try mends',
    steps: () => [
      {
        say: 'x',
        model: [fails('DEPENDENCY_UNAVAILABLE'), says('Now.')],
        expect: { texts: ['Now.'], has: ['CUSTOM'], roles: ['assistant'] },
      },
    ],
  },
  {
    name: 'an answer that breaks off and is then said from its beginning',
    steps: () => [
      {
        say: 'x',
        model: [[SAYS_HALF], thinks(['Hm.'], ['Half an hour ', 'at most.'])],
        expect: { texts: ['Half an hour at most.'], has: ['CUSTOM'], roles: ['assistant'] },
      },
      { say: 'why?', model: [says('Because.')], expect: { texts: ['Because.'] } },
    ],
  },
  {
    name: 'an answer that breaks off and is then another one',
    steps: () => [
      {
        say: 'x',
        model: [thinks(['Hm.'], ['Half an']).slice(0, -1), says('An hour.')],
        expect: {
          texts: ['Hm.', 'Half an', 'An hour.'],
          has: ['CUSTOM'],
          roles: ['reasoning', 'assistant', 'assistant'],
        },
      },
      { say: 'why?', model: [says('Because.')], expect: { texts: ['Because.'] } },
    ],
  },
  {
    name: 'an answer that breaks off and is then a call',
    steps: () => [
      {
        say: 'x',
        model: [[SAYS_HALF, ...callsTool(LIST).slice(0, 1)], callsTool(LIST), says('None.')],
        expect: {
          texts: ['Half an', 'None.'],
          has: ['CUSTOM'],
          roles: ['assistant', 'assistant', 'tool', 'assistant'],
          results: ['success'],
        },
      },
    ],
  },
  {
    name: 'a failure told in Chinese',
    locale: 'zh-CN',
    steps: () => [
      {
        say: '你好',
        model: [says('')],
        expect: { ends: 'RUN_ERROR', code: 'DEPENDENCY_UNAVAILABLE' },
      },
    ],
  },
];
