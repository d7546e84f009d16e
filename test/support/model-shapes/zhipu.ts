import { bare, pieces, type ModelShape } from './model-shape.js';

/** GLM by Zhipu: bigmodel.cn, z.ai. */
export const ZHIPU_SHAPES: ModelShape[] = [
  {
    name: 'GLM: reasoning, text before a call, the call whole, usage with the end',
    source: 'Z.AI API reference: Chat Completion (streaming response; tool_calls; usage)',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        bare({ delta: { role: 'assistant', reasoning_content: 'First ' } }),
        bare({ delta: { role: 'assistant', reasoning_content: 'look.' } }),
        bare({ delta: { role: 'assistant', content: 'One moment.' } }),
        bare({
          delta: {
            role: 'assistant',
            content: '',
            tool_calls: [
              {
                id: 'call_8231168139794583938',
                index: 0,
                type: 'function',
                function: { name: 'project_cli', arguments: JSON.stringify(args) },
              },
            ],
          },
        }),
        bare(
          { delta: { role: 'assistant', content: '' }, finish_reason: 'tool_calls' },
          {
            usage: {
              prompt_tokens: 90,
              completion_tokens: 30,
              total_tokens: 120,
              prompt_tokens_details: { cached_tokens: 43 },
            },
          },
        ),
        '[DONE]',
      ],
    }),
    expected: {
      reasoning: 'First look.',
      text: 'One moment.',
      finish: 'tool_calls',
      usage: { inputTokens: 90, outputTokens: 30, cachedInputTokens: 43 },
    },
  },
  {
    name: 'GLM: a new id with every piece of one call',
    source: 'github.com/zai-org/GLM-4 issue 194 (the server of the open weights)',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        bare({
          delta: {
            role: 'assistant',
            tool_calls: [
              {
                index: 0,
                id: 'call_a',
                type: 'function',
                function: { name: 'project_cli', arguments: '' },
              },
            ],
          },
        }),
        ...pieces(args, 9).map((piece, place) =>
          bare({
            delta: {
              tool_calls: [
                {
                  index: 0,
                  id: `call_b${place}`,
                  type: 'function',
                  function: { name: null, arguments: piece },
                },
              ],
            },
          }),
        ),
        bare({ delta: {}, finish_reason: 'tool_calls' }),
        '[DONE]',
      ],
    }),
    expected: { reasoning: '', text: '', finish: 'tool_calls', usage: null },
  },
  {
    name: 'GLM: cut by the filter',
    source: 'Z.AI API reference: Chat Completion (finish_reason "sensitive")',
    calls: 0,
    reply: () => ({
      lines: [
        bare({ delta: { role: 'assistant', content: 'It' } }),
        bare({ delta: { role: 'assistant', content: '' }, finish_reason: 'sensitive' }),
        '[DONE]',
      ],
    }),
    expected: { reasoning: '', text: 'It', finish: 'content_filter', usage: null },
  },
  {
    name: 'GLM: the question refused by the filter',
    source: 'Z.AI API reference: Error Codes (1301)',
    calls: 0,
    reply: () => ({ status: 400, lines: [{ error: { code: '1301', message: 'unsafe content' } }] }),
    expected: { reasoning: '', text: '', finish: 'content_filter', usage: null },
  },
];
