import { bare, pieces, type ModelShape } from './model-shape.js';

/** What gateways and servers between make of it. */
export const GATEWAY_SHAPES: ModelShape[] = [
  {
    name: 'a whole completion in place of a stream',
    source: 'OpenAI API reference: The chat completion object',
    calls: 1,
    reply: ([args]) => ({
      headers: { 'content-type': 'application/json' },
      lines: [
        JSON.stringify(
          {
            object: 'chat.completion',
            choices: [
              {
                index: 0,
                finish_reason: 'tool_calls',
                message: {
                  role: 'assistant',
                  content: null,
                  reasoning_content: 'Why not.',
                  tool_calls: [
                    {
                      id: 'x',
                      type: 'function',
                      function: { name: 'project_cli', arguments: JSON.stringify(args) },
                    },
                  ],
                },
              },
            ],
            usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
          },
          null,
          2,
        ),
      ],
    }),
    expected: {
      reasoning: 'Why not.',
      text: '',
      finish: 'tool_calls',
      usage: { inputTokens: 5, outputTokens: 6 },
    },
  },
  {
    name: 'a function call of the older form',
    source: 'OpenAI API reference: Chat streaming (function_call, deprecated)',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        bare({
          delta: {
            role: 'assistant',
            content: null,
            function_call: { name: 'project_cli', arguments: '' },
          },
        }),
        ...pieces(args, 20).map((piece) =>
          bare({ delta: { function_call: { arguments: piece } } }),
        ),
        bare({ delta: {}, finish_reason: 'function_call' }),
        '[DONE]',
      ],
    }),
    expected: { reasoning: '', text: '', finish: 'tool_calls', usage: null },
  },
  {
    name: 'arguments as an object, usage in the choice, one reasoning under two names',
    source:
      'github.com/agentscope-ai/agentscope issue 1794; Moonshot API: Streaming (usage in choices); LiteLLM',
    calls: 1,
    reply: ([args]) => ({
      lines: [
        bare({ delta: { role: 'assistant', reasoning: 'Hm.', reasoning_content: 'Hm.' } }),
        bare({ delta: { tool_calls: [{ function: { name: 'project_cli', arguments: args } }] } }),
        bare({
          delta: { content: null, tool_calls: null },
          finish_reason: 'tool_calls',
          usage: { prompt_tokens: 8, completion_tokens: 9, cached_tokens: 2 },
        }),
        '[DONE]',
      ],
    }),
    expected: {
      reasoning: 'Hm.',
      text: '',
      finish: 'tool_calls',
      usage: { inputTokens: 8, outputTokens: 9, cachedInputTokens: 2 },
    },
  },
  {
    name: 'thoughts as parts of the content, and an end of its own',
    source: 'github.com/mistralai/mistral-vibe issue 1119 (GLM behind another API)',
    calls: 0,
    reply: () => ({
      lines: [
        bare({
          delta: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] },
        }),
        bare({ delta: { content: [{ type: 'text', text: 'Yes' }] } }),
        bare({ delta: {}, finish_reason: 'eos' }),
        '[DONE]',
      ],
    }),
    expected: { reasoning: 'Hm.', text: 'Yes', finish: 'stop', usage: null },
  },
  {
    name: 'CRLF, events with names and ids, zeros as usage until the end',
    source: 'WHATWG HTML: Server-sent events (parsing an event stream)',
    calls: 0,
    reply: () => ({
      lines: [
        `event: message\r\nid: 1\r\ndata: ${JSON.stringify(
          bare({ delta: { content: 'Hi' } }, { usage: { prompt_tokens: 0, completion_tokens: 0 } }),
        )}\r\n\r\n`,
        `data: ${JSON.stringify(
          bare(
            { delta: {}, finish_reason: 'stop' },
            { usage: { prompt_tokens: 3, completion_tokens: 1 } },
          ),
        )}\r\n\r\n`,
        'data: [DONE]\r\n\r\n',
      ],
    }),
    expected: {
      reasoning: '',
      text: 'Hi',
      finish: 'stop',
      usage: { inputTokens: 3, outputTokens: 1 },
    },
  },
];
