import { bare, pieces, type ModelShape } from './model-shape.js';

/** What stands in and around an answer and is no part of it. */
export const NOISE_SHAPES: ModelShape[] = [
  {
    name: 'keep-alives that are events, with and without data',
    source: 'WHATWG HTML: Server-sent events (an event without data is not dispatched)',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        'event: ping\n\n',
        'event: ping\ndata: {}\n\n',
        'data:\n\n',
        'data: ping\n\n',
        'data: {"type":"ping"}\n\n',
        ...pieces(args, 40).flatMap((piece, place) => [
          bare({
            delta: {
              tool_calls: [
                {
                  index: 0,
                  id: place === 0 ? 'c' : '',
                  function: { name: place === 0 ? 'project_cli' : '', arguments: piece },
                },
              ],
            },
          }),
          'event: ping\n\n',
        ]),
        bare({ delta: {}, finish_reason: 'tool_calls' }),
        'event: ping\ndata: {}\n\n',
        '[DONE]',
      ],
    }),
    expected: { reasoning: '', text: '', finish: 'tool_calls', usage: null },
  },
  {
    name: 'the name of the function in pieces',
    source:
      'OpenAI API reference: Chat streaming (delta.tool_calls.function.name is part of a delta)',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        bare({ delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'project' } }] } }),
        bare({ delta: { tool_calls: [{ index: 0, function: { name: '_cli' } }] } }),
        bare({
          delta: { tool_calls: [{ index: 0, function: { arguments: JSON.stringify(args) } }] },
        }),
        bare({ delta: {}, finish_reason: 'tool_calls' }),
        '[DONE]',
      ],
    }),
    expected: { reasoning: '', text: '', finish: 'tool_calls', usage: null },
  },
  {
    name: 'a second choice that nobody asked for',
    source:
      'OpenAI API reference: Chat streaming (choices.index; more than one if n is greater than 1)',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        {
          choices: [
            { index: 1, delta: { content: 'WRONG' } },
            { index: 0, delta: { content: 'Right.' } },
          ],
        },
        { choices: [{ index: 1, delta: {}, finish_reason: 'length' }] },
        bare({
          delta: {
            tool_calls: [
              { index: 0, function: { name: 'project_cli', arguments: JSON.stringify(args) } },
            ],
          },
          finish_reason: 'tool_calls',
        }),
        { choices: [{ index: 1, delta: { content: 'WRONG' }, finish_reason: 'stop' }] },
        '[DONE]',
      ],
    }),
    expected: { reasoning: '', text: 'Right.', finish: 'tool_calls', usage: null },
  },
];
