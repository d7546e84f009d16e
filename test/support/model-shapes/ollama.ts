import { bare, type ModelShape } from './model-shape.js';

/** Ollama's OpenAI-compatible API. */
export const OLLAMA_SHAPES: ModelShape[] = [
  {
    name: 'Ollama: whole calls without an index',
    source: 'github.com/ollama/ollama issue 7881 (before 0.4.7)',
    calls: 2,
    reply: (args) => ({
      lines: [
        ...args.map((one, place) =>
          bare({
            delta: {
              role: 'assistant',
              content: '',
              tool_calls: [
                {
                  id: `call_${place}`,
                  type: 'function',
                  function: { name: 'project_cli', arguments: JSON.stringify(one) },
                },
              ],
            },
            finish_reason: null,
          }),
        ),
        bare({ delta: { role: 'assistant', content: '' }, finish_reason: 'stop' }),
        '[DONE]',
      ],
    }),
    expected: { reasoning: '', text: '', finish: 'tool_calls', usage: null },
  },
  {
    name: 'Ollama: `reasoning`, then every call under index 0',
    source:
      'Ollama docs: OpenAI compatibility, Thinking; github.com/ollama/ollama issues 15457, 15497',
    calls: 2,
    reply: (args) => ({
      lines: [
        bare({
          delta: { role: 'assistant', content: '', reasoning: 'Two of them.' },
          finish_reason: null,
        }),
        ...args.map((one, place) =>
          bare({
            delta: {
              role: 'assistant',
              content: '',
              tool_calls: [
                {
                  id: `call_${place}`,
                  index: 0,
                  type: 'function',
                  function: { name: 'project_cli', arguments: JSON.stringify(one) },
                },
              ],
            },
            finish_reason: null,
          }),
        ),
        bare({ delta: { role: 'assistant', content: '' }, finish_reason: 'tool_calls' }),
        { choices: [], usage: { prompt_tokens: 12, completion_tokens: 34, total_tokens: 46 } },
        '[DONE]',
      ],
    }),
    expected: {
      reasoning: 'Two of them.',
      text: '',
      finish: 'tool_calls',
      usage: { inputTokens: 12, outputTokens: 34 },
    },
  },
];
