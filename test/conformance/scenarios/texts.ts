import type { ChatChunk } from '../../../src/agent/models/chat-model.js';
import { says } from '../../support/scripted-model.js';
import type { Scenario } from './scenario.js';

const cut = (reason: 'length' | 'content_filter', ...deltas: string[]): ChatChunk[] => [
  ...deltas.map((delta): ChatChunk => ({ type: 'text', delta })),
  { type: 'finish', reason, usage: null },
];
/** A model that only repeats itself is stopped, so each line is another. */
const LONG = Array.from({ length: 8_000 }, (_, n) => `${n * n} 日程, `).join('');

/** One answer in text: [name, what is said, the model's turn, the text that is read]. */
const ANSWERS: [string, unknown, ChatChunk[], (string | RegExp)[]][] = [
  ['an answer', 'hello', says('Hello, Amy.'), ['Hello, Amy.']],
  ['an answer in pieces', 'hello', says('Hel', 'lo, ', '', 'Amy', '.'), ['Hello, Amy.']],
  ['an answer in Chinese', '你好', says('你好，', '有什么可以帮你？'), ['你好，有什么可以帮你？']],
  [
    'line ends and what looks like SSE',
    'x',
    says('a\r\n', '\ndata: x\n\nid: 9\n'),
    ['a\r\n\ndata: x\n\nid: 9\n'],
  ],
  ['"[DONE]" in a text', 'x', says('[DONE]'), ['[DONE]']],
  ['line separators', 'x', says('a\u2028b\u2029c\u0085'), ['a\u2028b\u2029c\u0085']],
  ['characters in halves', 'x', says(...'👍🏽 fine 🎉'.split('')), ['👍🏽 fine 🎉']],
  ['half a character', 'x', says('a\uD83D', ' b'), ['a\uFFFD b']],
  ['right-to-left text and joiners', 'שלום', says('שלום 👨‍👩‍👧 é'), ['שלום 👨‍👩‍👧 é']],
  ['a long answer', 'tell me all', says(LONG.slice(0, 50_000), LONG.slice(50_000)), [LONG]],
  [
    'many small pieces',
    'x',
    says(...Array.from({ length: 500 }, (_, n) => `${n} `)),
    [/^0 1 2 .*499 $/],
  ],
  ['an answer that was cut off', 'x', cut('length', 'It is'), [/^It is\n\n.*length limit/]],
  ['an answer that was filtered', 'x', cut('content_filter', 'It is'), [/^It is\n\n.*filter/]],
  [
    'a credential in an answer',
    'x',
    says('Bearer abcdef0123456789', 'ABCDEF0123 done'),
    [/^\[?.*\[redacted\].* done$/],
  ],
  [
    'a message in parts',
    [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
    says('Both.'),
    ['Both.'],
  ],
];

export const TEXT_SCENARIOS: Scenario[] = ANSWERS.map(([name, say, turn, texts]) => ({
  name,
  steps: () => [
    { say, model: [turn], expect: { roles: ['assistant'], texts, status: 'succeeded' } },
  ],
}));
