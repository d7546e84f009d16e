import { bare, pieces, type ModelShape } from './model-shape.js';

/** Qwen at Alibaba Cloud Model Studio (DashScope), OpenAI-compatible mode. */
export const DASHSCOPE_SHAPES: ModelShape[] = [
  {
    name: 'Qwen: thinks, then calls; name and id empty in later pieces; usage in a chunk of its own',
    source: 'Model Studio: Deep thinking (streaming output); Function calling (streaming output)',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        bare(
          {
            delta: { content: null, role: 'assistant', reasoning_content: '' },
            finish_reason: null,
            logprobs: null,
          },
          { usage: null },
        ),
        bare(
          { delta: { content: null, reasoning_content: '好的，' }, finish_reason: null },
          { usage: null },
        ),
        bare(
          { delta: { content: null, reasoning_content: '创建日程。' }, finish_reason: null },
          { usage: null },
        ),
        bare(
          {
            delta: {
              content: null,
              tool_calls: [
                {
                  index: 0,
                  id: 'call_be8c74',
                  type: 'function',
                  function: { name: 'project_cli', arguments: '' },
                },
              ],
            },
            finish_reason: null,
          },
          { usage: null },
        ),
        ...pieces(args, 12).map((piece) =>
          bare(
            {
              delta: {
                content: null,
                tool_calls: [
                  { index: 0, id: '', type: 'function', function: { name: '', arguments: piece } },
                ],
              },
              finish_reason: null,
            },
            { usage: null },
          ),
        ),
        bare(
          {
            delta: {
              content: null,
              tool_calls: [
                { index: 0, id: '', type: 'function', function: { name: null, arguments: null } },
              ],
            },
            finish_reason: 'tool_calls',
          },
          { usage: null },
        ),
        {
          choices: [],
          object: 'chat.completion.chunk',
          usage: {
            prompt_tokens: 70,
            completion_tokens: 50,
            total_tokens: 120,
            completion_tokens_details: { reasoning_tokens: 33 },
            prompt_tokens_details: { cached_tokens: 0 },
          },
        },
        '[DONE]',
      ],
    }),
    expected: {
      reasoning: '好的，创建日程。',
      text: '',
      finish: 'tool_calls',
      usage: { inputTokens: 70, outputTokens: 50, reasoningTokens: 33, cachedInputTokens: 0 },
    },
  },
  {
    name: 'Qwen: an end that is written "null" until it comes, no [DONE]',
    source:
      'Model Studio: Qwen API reference (finish_reason "null" while generating); FAQ (data: [DONE])',
    calls: 0,
    reply: () => ({
      lines: [
        bare({ delta: { content: '你', role: 'assistant' }, finish_reason: 'null' }),
        bare({ delta: { content: '好' }, finish_reason: 'null' }),
        bare({ delta: { content: '' }, finish_reason: 'stop' }),
      ],
    }),
    expected: { reasoning: '', text: '你好', finish: 'stop', usage: null },
  },
  {
    name: 'Qwen: the question refused by the filter',
    source: 'Model Studio: Error messages (data_inspection_failed)',
    calls: 0,
    reply: () => ({
      status: 400,
      lines: [{ error: { code: 'data_inspection_failed', message: 'inappropriate content' } }],
    }),
    expected: { reasoning: '', text: '', finish: 'content_filter', usage: null },
  },
];
