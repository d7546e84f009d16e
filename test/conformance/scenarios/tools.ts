import { callsTool, says } from '../../support/scripted-model.js';
import type { Scenario } from './scenario.js';

const TOOLS = [
  {
    name: 'pickColour',
    description: 'Lets the person pick a colour.',
    parameters: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { of: { type: 'string', pattern: '^[a-z ]+$' } },
      required: ['of'],
      additionalProperties: false,
    },
  },
  { name: 'show-map', description: '', parameters: {} },
];
const pick = { module: 'client', method: 'pickColour', input: { of: 'the wall' } };
const map = { module: 'client', method: 'show-map', input: {} };
const keep = { module: 'notes', method: 'keep', input: { text: 'kept' } };
const add = { module: 'notes', method: 'add', input: { text: 'milk' } };
const waits = { status: 'waiting' as const };

/** Tools of the front end: the client carries their calls out and sends what they gave. */
export const TOOL_SCENARIOS: Scenario[] = [
  {
    name: 'a tool of the front end',
    tools: TOOLS,
    steps: () => [
      { say: 'x', model: [callsTool(pick)], expect: { ...waits, pending: ['pickColour'] } },
      {
        give: { pickColour: { content: '{"colour":"blue"}' } },
        model: [says('Blue.')],
        expect: { status: 'succeeded', roles: ['assistant'], texts: ['Blue.'], pending: [] },
      },
      // What it resends by now is old.
      { say: 'and?', model: [says('And so on.')], expect: { texts: ['And so on.'] } },
    ],
  },
  {
    name: 'two tools of the front end in one turn',
    tools: TOOLS,
    steps: () => [
      {
        say: 'x',
        model: [callsTool(pick, map)],
        expect: { ...waits, pending: ['pickColour', 'show-map'] },
      },
      { give: { 'show-map': { content: 'shown' } }, expect: { refused: 400 } },
      {
        give: { pickColour: { content: 'red' } },
        model: [says('Both.')],
        expect: { status: 'succeeded', texts: ['Both.'], pending: [] },
      },
    ],
  },
  {
    name: 'a tool of the front end between calls of the server',
    tools: TOOLS,
    steps: () => [
      {
        say: 'x',
        model: [callsTool(keep, pick, keep)],
        expect: { ...waits, results: ['success', 'success'], pending: ['pickColour'] },
      },
      {
        give: { pickColour: { content: 'red' } },
        model: [says('Red.')],
        expect: { status: 'succeeded', texts: ['Red.'] },
      },
    ],
  },
  {
    name: 'a tool of the front end that fails',
    tools: TOOLS,
    steps: () => [
      { say: 'x', model: [callsTool(map)], expect: { ...waits, pending: ['show-map'] } },
      {
        give: { 'show-map': { error: 'no network' } },
        model: [says('I cannot show it.')],
        expect: { status: 'succeeded', texts: ['I cannot show it.'] },
      },
    ],
  },
  {
    name: 'a tool of the front end, turn after turn',
    tools: TOOLS,
    steps: () => [
      { say: 'x', model: [callsTool(pick)], expect: { ...waits, pending: ['pickColour'] } },
      {
        give: { pickColour: { content: 'red' } },
        model: [callsTool(map)],
        expect: { ...waits, pending: ['show-map'] },
      },
      {
        give: { 'show-map': { content: 'shown' } },
        model: [says('Done.')],
        expect: { status: 'succeeded', texts: ['Done.'] },
      },
    ],
  },
  {
    name: 'a tool of the front end that is ignored for something else',
    tools: TOOLS,
    steps: () => [
      { say: 'x', model: [callsTool(pick)], expect: waits },
      {
        say: 'never mind',
        model: [says('As you like.')],
        expect: {
          status: 'succeeded',
          results: ['failure CANCELLED'],
          texts: ['As you like.'],
          pending: [],
        },
      },
    ],
  },
  {
    name: 'a tool of the front end whose result comes with a new message',
    tools: TOOLS,
    steps: () => [
      { say: 'x', model: [callsTool(pick)], expect: waits },
      {
        give: { pickColour: { content: 'red' } },
        said: 'and quickly',
        model: [says('Quick.')],
        expect: { status: 'succeeded', texts: ['Quick.'] },
      },
    ],
  },
  {
    name: 'a tool of the front end beside an approval, answered one after the other',
    tools: TOOLS,
    steps: () => [
      {
        say: 'x',
        model: [callsTool(pick, add)],
        expect: { ...waits, pending: ['pickColour'] },
      },
      {
        answer: { approved: true },
        expect: { ...waits, results: ['success'], pending: ['pickColour'] },
      },
      {
        give: { pickColour: { content: 'red' } },
        model: [says('Done.')],
        expect: { status: 'succeeded', texts: ['Done.'], pending: [] },
      },
    ],
  },
  {
    name: 'a tool of the front end beside an approval, answered together',
    tools: TOOLS,
    steps: () => [
      { say: 'x', model: [callsTool(add, pick)], expect: { ...waits, pending: ['pickColour'] } },
      {
        give: { pickColour: { content: 'red' } },
        resolve: { approved: false },
        model: [says('Fine.')],
        expect: { status: 'succeeded', results: ['failure APPROVAL_DENIED'], texts: ['Fine.'] },
      },
    ],
  },
  {
    name: 'a tool of the front end that is called wrongly',
    tools: TOOLS,
    steps: () => [
      {
        say: 'x',
        model: [callsTool({ ...pick, input: {} }), says('Sorry.')],
        expect: {
          status: 'succeeded',
          results: ['failure INVALID_ACTION_INPUT'],
          texts: ['Sorry.'],
          pending: [],
        },
      },
    ],
  },
  {
    name: 'tools of the front end that are not acceptable',
    tools: [{ name: '__proto__', description: '', parameters: {} }],
    steps: () => [{ say: 'x', expect: { refused: 400 } }],
  },
];
