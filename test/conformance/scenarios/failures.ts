import type { ErrorCode } from '../../../src/common/error-codes.js';
import { StewardError } from '../../../src/common/steward-error.js';
import { callsTool, says, type ScriptedTurn } from '../../support/scripted-model.js';
import type { Expectation, Scenario } from './scenario.js';

const fails = (code: ErrorCode): ScriptedTurn => [new StewardError(code, 'The endpoint said no.')];
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
    [[{ type: 'text', delta: 'Half an' }]],
    'DEPENDENCY_UNAVAILABLE',
    { texts: ['Half an'] },
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
