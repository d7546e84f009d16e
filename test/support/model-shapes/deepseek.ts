import { bare, pieces, type ModelShape } from './model-shape.js';

const USAGE = {
  prompt_tokens: 120,
  completion_tokens: 40,
  total_tokens: 160,
  prompt_cache_hit_tokens: 64,
  prompt_cache_miss_tokens: 56,
  completion_tokens_details: { reasoning_tokens: 25 },
};
const COUNTS = {
  inputTokens: 120,
  outputTokens: 40,
  cachedInputTokens: 64,
  reasoningTokens: 25,
};

/** DeepSeek's own API. */
export const DEEPSEEK_SHAPES: ModelShape[] = [
  {
    name: 'DeepSeek: reasoning, then a call in pieces, keep-alives between',
    source:
      'DeepSeek API docs: Thinking Mode (Tool Calls); Rate Limit (": keep-alive"); Context Caching',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        ': keep-alive\n\n',
        bare(
          {
            delta: { role: 'assistant', content: null, reasoning_content: '' },
            finish_reason: null,
          },
          { usage: null },
        ),
        bare({ delta: { content: null, reasoning_content: 'They want ' }, finish_reason: null }),
        ': keep-alive\n\n',
        bare({ delta: { content: null, reasoning_content: 'an event.' }, finish_reason: null }),
        bare({
          delta: {
            tool_calls: [
              {
                index: 0,
                id: 'call_00_x',
                type: 'function',
                function: { name: 'project_cli', arguments: '' },
              },
            ],
          },
          finish_reason: null,
        }),
        ...pieces(args, 7).map((piece) =>
          bare({
            delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] },
            finish_reason: null,
          }),
        ),
        bare(
          { delta: { content: '', reasoning_content: null }, finish_reason: 'tool_calls' },
          { usage: USAGE },
        ),
        '[DONE]',
      ],
    }),
    expected: { reasoning: 'They want an event.', text: '', finish: 'tool_calls', usage: COUNTS },
  },
  {
    name: 'DeepSeek: reasoning, then text',
    source: 'DeepSeek API docs: Reasoning Model (deepseek-reasoner)',
    calls: 0,
    reply: () => ({
      lines: [
        bare({
          delta: { role: 'assistant', content: null, reasoning_content: 'Hm.' },
          finish_reason: null,
        }),
        bare({ delta: { content: 'Hel', reasoning_content: null }, finish_reason: null }),
        bare({ delta: { content: 'lo', reasoning_content: null }, finish_reason: null }),
        bare(
          { delta: { content: '', reasoning_content: null }, finish_reason: 'stop' },
          { usage: USAGE },
        ),
        '[DONE]',
      ],
    }),
    expected: { reasoning: 'Hm.', text: 'Hello', finish: 'stop', usage: COUNTS },
  },
];
