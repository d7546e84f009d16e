import { bare, pieces, type ModelShape } from './model-shape.js';

const usage = (completion: number) => ({
  usage: { prompt_tokens: 50, completion_tokens: completion, total_tokens: 50 + completion },
});

/** vLLM's OpenAI-compatible server. */
export const VLLM_SHAPES: ModelShape[] = [
  {
    name: 'vLLM: `reasoning`, usage in every chunk, "stop" after a call',
    source:
      'vLLM docs: Reasoning Outputs (`reasoning`); Tool Calling; stream_options continuous_usage_stats',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        bare(
          { delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
          usage(0),
        ),
        bare({ delta: { reasoning: 'I call ' }, finish_reason: null }, usage(3)),
        bare({ delta: { reasoning: 'the tool.' }, finish_reason: null }, usage(6)),
        bare(
          {
            delta: {
              tool_calls: [
                {
                  id: 'chatcmpl-tool-1',
                  type: 'function',
                  index: 0,
                  function: { name: 'project_cli' },
                },
              ],
            },
            finish_reason: null,
          },
          usage(9),
        ),
        ...pieces(args, 5).map((piece, place) =>
          bare(
            {
              delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] },
              finish_reason: null,
            },
            usage(10 + place),
          ),
        ),
        bare({ delta: {}, finish_reason: 'stop', stop_reason: null }, usage(99)),
        '[DONE]',
      ],
    }),
    expected: {
      reasoning: 'I call the tool.',
      text: '',
      finish: 'tool_calls',
      usage: { inputTokens: 50, outputTokens: 99 },
    },
  },
  {
    name: 'vLLM: thoughts in the content, where no reasoning parser is set',
    source: 'vLLM docs: Reasoning Outputs (--reasoning-parser)',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        bare({ delta: { role: 'assistant', content: '' }, finish_reason: null }),
        bare({ delta: { content: '<th' }, finish_reason: null }),
        bare({ delta: { content: 'ink>\nHm' }, finish_reason: null }),
        bare({ delta: { content: '.\n</thi' }, finish_reason: null }),
        bare({ delta: { content: 'nk>\n\nOn it.' }, finish_reason: null }),
        bare({
          delta: {
            tool_calls: [
              {
                index: 0,
                id: 'c',
                type: 'function',
                function: { name: 'project_cli', arguments: JSON.stringify(args) },
              },
            ],
          },
          finish_reason: 'tool_calls',
        }),
        { choices: [], ...usage(7) },
        '[DONE]',
      ],
    }),
    expected: {
      reasoning: 'Hm.\n',
      text: 'On it.',
      finish: 'tool_calls',
      usage: { inputTokens: 50, outputTokens: 7 },
    },
  },
];
