import type { ChatChunk } from '../../../src/agent/models/chat-model.js';
import { callsTool, says } from '../../support/scripted-model.js';
import { thinks, type Scenario } from './scenario.js';

const LIST = { module: 'notes', method: 'list', input: {} };
const text = (delta: string): ChatChunk => ({ type: 'text', delta });
const named = (name: string): ChatChunk[] => [
  { type: 'tool_call', call: { id: 'call_0', name, arguments: JSON.stringify(LIST) } },
  { type: 'finish', reason: 'tool_calls', usage: null },
];
const AROUND = ['assistant', 'tool', 'assistant'];

/** Calls and what comes of them: [name, the model's turns, results, roles]. */
const CALLS: [string, ChatChunk[][], string[], string[]][] = [
  ['a call', [callsTool(LIST), says('Done.')], ['success'], AROUND],
  [
    'two calls at once',
    [callsTool(LIST, LIST), says('Done.')],
    ['success', 'success'],
    ['assistant', 'tool', 'tool', 'assistant'],
  ],
  [
    'a text and a call',
    [[text('Let me look.'), ...callsTool(LIST)], says('Done.')],
    ['success'],
    AROUND,
  ],
  [
    'calls in three turns',
    [callsTool(LIST), callsTool({ ...LIST, module: 'no' }), callsTool(LIST), says('Done.')],
    ['success', 'failure MODULE_NOT_FOUND', 'success'],
    ['assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool', 'assistant'],
  ],
  [
    'arguments that are no JSON',
    [callsTool('{"module": "notes", '), says('Sorry.')],
    ['failure INVALID_TOOL_CALL'],
    AROUND,
  ],
  ['no arguments at all', [callsTool(''), says('Sorry.')], ['failure INVALID_TOOL_CALL'], AROUND],
  [
    'an unknown function',
    [named('get_weather'), says('Sorry.')],
    ['failure INVALID_TOOL_CALL'],
    AROUND,
  ],
  ['a function without a name', [named(''), says('Sorry.')], ['failure INVALID_TOOL_CALL'], AROUND],
  [
    'an unknown method',
    [callsTool({ ...LIST, method: 'none' }), says('Sorry.')],
    ['failure METHOD_NOT_FOUND'],
    AROUND,
  ],
  [
    'input that is refused',
    [callsTool({ ...LIST, input: { odd: 1 } }), says('Sorry.')],
    ['failure INVALID_ACTION_INPUT'],
    AROUND,
  ],
  ['no answer after results', [callsTool(LIST), says('')], ['success'], AROUND],
];

export const CALL_SCENARIOS: Scenario[] = [
  ...CALLS.map(([name, model, results, roles]): Scenario => ({
    name,
    steps: () => [{ say: 'x', model, expect: { results, roles, status: 'succeeded' } }],
  })),
  {
    name: 'reasoning before an answer',
    steps: () => [
      {
        say: 'x',
        model: [thinks(['Let me ', 'think.'], ['Yes.'])],
        expect: { roles: ['reasoning', 'assistant'], texts: ['Let me think.', 'Yes.'] },
      },
    ],
  },
  {
    name: 'reasoning before a call and behind a text, resent with the next message',
    steps: () => [
      {
        say: 'x',
        model: [
          [{ type: 'reasoning', delta: '先看看。' }, ...callsTool(LIST)],
          thinks(['Good.'], ['You have', ' none.'], ['Was that all?']),
        ],
        expect: {
          roles: ['reasoning', 'assistant', 'tool', 'reasoning', 'assistant', 'reasoning'],
          texts: ['先看看。', 'Good.', 'You have none.', 'Was that all?'],
        },
      },
      { say: 'thanks', model: [says('Gladly.')], expect: { roles: ['assistant'] } },
    ],
  },
];
