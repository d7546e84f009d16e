import { PDF, PNG } from '../../support/files.js';
import { callsTool, says } from '../../support/scripted-model.js';
import { stalls, thinks, waits, type Scenario } from './scenario.js';

const add = (...texts: string[]) =>
  callsTool(...texts.map((text) => ({ module: 'notes', method: 'add', input: { text } })));
const PAINT = callsTool({ module: 'notes', method: 'paint', input: {} });
const asks = (model = add('milk')) => ({
  say: 'x',
  model: [model],
  expect: { status: 'waiting' as const },
});
const image = (source: object) => [
  { type: 'text', text: 'What is this?' },
  { type: 'image', source },
];
const data = (bytes: Buffer, mimeType: string) => ({
  type: 'data',
  value: bytes.toString('base64'),
  mimeType,
});

const APPROVALS: Scenario[] = [
  {
    name: 'an approval that is given',
    steps: () => [
      asks(),
      {
        answer: { approved: true },
        model: [says('Done.')],
        expect: { results: ['success'], texts: ['Done.'] },
      },
    ],
  },
  {
    name: 'an approval that is refused',
    steps: () => [
      asks(),
      {
        answer: { approved: false, reason: 'no' },
        model: [says('Well.')],
        expect: { results: ['failure APPROVAL_DENIED'], texts: ['Well.'] },
      },
    ],
  },
  {
    name: 'an approval that is dropped',
    steps: () => [
      asks(),
      { answer: null, model: [says('Well.')], expect: { results: ['failure APPROVAL_DENIED'] } },
    ],
  },
  {
    name: 'an approval with other input',
    steps: () => [
      asks(),
      {
        answer: { approved: true, editedArgs: { text: 'tea' } },
        model: [says('Tea.')],
        expect: { results: ['success'] },
      },
    ],
  },
  {
    name: 'two approvals in one turn',
    steps: () => [
      asks(add('one', 'two')),
      { answer: { approved: true }, expect: { results: ['success'], status: 'waiting' } },
      {
        answer: { approved: true },
        model: [says('Both.')],
        expect: { results: ['success'], texts: ['Both.'] },
      },
    ],
  },
  {
    name: 'a question that is answered',
    steps: () => [
      asks(PAINT),
      {
        answer: { color: 'red' },
        model: [says('Red.')],
        expect: { results: ['success'], texts: ['Red.'] },
      },
    ],
  },
  {
    name: 'a new message with an answer',
    steps: () => [
      asks(),
      {
        answer: { approved: true },
        also: 'and thanks',
        model: [says('Gladly.')],
        expect: { results: ['success'] },
      },
    ],
  },
];

const CANCELS: Scenario[] = [
  ['a text', 'TEXT_MESSAGE_CONTENT', stalls({ type: 'text', delta: 'Once upon' })] as const,
  [
    'reasoning',
    'REASONING_MESSAGE_CONTENT',
    stalls({ type: 'reasoning', delta: 'Let me' }),
  ] as const,
  ['a silent model', 'STEP_STARTED', stalls()] as const,
].map(([name, cancelOn, turn]) => ({
  name: `a run that is cancelled in ${name}`,
  steps: () => [
    { say: 'x', model: [turn], cancelOn, expect: { status: 'cancelled' as const } },
    { say: 'again', model: [says('Here.')], expect: { texts: ['Here.'] } },
  ],
}));

const INPUTS: Scenario[] = [
  ['a picture', image(data(PNG, 'image/png')), undefined] as const,
  [
    'a PDF',
    [
      { type: 'document', source: data(PDF, 'application/pdf') },
      { type: 'text', text: 'Read it.' },
    ],
    undefined,
  ] as const,
  ['a picture at a URL', image({ type: 'url', value: 'https://example.com/a.png' }), 400] as const,
  [
    'data that is not base64',
    image({ type: 'data', value: '%%%', mimeType: 'image/png' }),
    400,
  ] as const,
  [
    'a sound, which nobody hears',
    [
      { type: 'audio', source: data(Buffer.from('ID3\u0003'), 'audio/mpeg') },
      { type: 'text', text: 'Hear.' },
    ],
    undefined,
  ] as const,
  ['a blank message', '  ', 400] as const,
  ['a message with a credential', `Bearer ${'a1'.repeat(20)}`, 400] as const,
  ['a message that is too long', 'x'.repeat(200_000), 400] as const,
].map(([name, say, refused]): Scenario => ({
  name: `a message: ${name}`,
  steps: () => [
    refused
      ? { say, expect: { refused } }
      : { say, model: [says('I see.')], expect: { texts: ['I see.'], roles: ['assistant'] } },
  ],
}));

export const PEOPLE_SCENARIOS: Scenario[] = [
  ...APPROVALS,
  ...CANCELS,
  ...INPUTS,
  {
    name: 'history that is resent with each message',
    steps: () => [
      {
        say: 'one',
        model: [callsTool({ module: 'notes', method: 'list', input: {} }), says('1')],
        expect: { roles: ['assistant', 'tool', 'assistant'] },
      },
      { say: 'two', model: [says('2')], expect: { roles: ['assistant'] } },
      { say: 'three', model: [says('3')], expect: { roles: ['assistant'] } },
    ],
  },
  {
    name: 'history that is resent behind thoughts, a cancelled run and a failed one',
    steps: () => [
      {
        say: 'one',
        model: [thinks(['Let me see.'], ['1'])],
        expect: { roles: ['reasoning', 'assistant'], texts: ['Let me see.', '1'] },
      },
      {
        say: 'two',
        model: [stalls({ type: 'text', delta: 'Half' })],
        cancelOn: 'TEXT_MESSAGE_CONTENT',
        expect: { status: 'cancelled', texts: ['Half'] },
      },
      {
        say: 'three',
        model: [[new Error('broken')]],
        expect: { ends: 'RUN_ERROR', code: 'INTERNAL', status: 'failed' },
      },
      { say: 'four', model: [says('4')], expect: { texts: ['4'], roles: ['assistant'] } },
    ],
  },
  {
    name: 'a second client while a run is active',
    steps: () => {
      let heard = (): void => undefined;
      const interjected = new Promise<void>((resolve) => (heard = resolve));
      const turn = waits([{ type: 'text', delta: 'One' }], interjected, says(' two.'));
      return [
        {
          say: 'x',
          model: [turn],
          interjectOn: 'TEXT_MESSAGE_CONTENT',
          done: heard,
          expect: { texts: ['One two.'] },
        },
      ];
    },
  },
  {
    name: 'a client that goes away',
    steps: () => {
      let gone = (): void => undefined;
      const left = new Promise<void>((resolve) => (gone = resolve));
      const turn = waits([{ type: 'text', delta: 'One' }], left, says(' two.'));
      return [{ say: 'x', model: [turn], leaveOn: 'TEXT_MESSAGE_CONTENT', done: gone, expect: {} }];
    },
  },
];
