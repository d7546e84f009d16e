import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  callReply,
  chunk,
  startModelServer,
  textReply,
  usageChunk,
  type ModelReply,
  type ModelServer,
} from '../../../test/support/model-server.js';
import {
  askModel,
  modelRequest,
  openModel,
  type AskArguments,
} from '../../../test/support/ask-model.js';
import { StewardError } from '../../common/steward-error.js';
import type { ChatChunk, ChatMessage } from './chat-model.js';
import { OpenAiChatModel } from './openai-chat-model.js';

describe('OpenAiChatModel', () => {
  let server: ModelServer;

  const ask = (...args: AskArguments) => askModel(server, ...args);
  const calls = (chunks: ChatChunk[]) =>
    chunks.flatMap((part) => (part.type === 'tool_call' ? [part.call] : []));
  const text = (chunks: ChatChunk[]) =>
    chunks.flatMap((part) => (part.type === 'text' ? [part.delta] : [])).join('');

  beforeAll(async () => {
    server = await startModelServer();
  });
  beforeEach(() => {
    server.requests.length = 0;
  });
  afterAll(() => server.close());

  it('streams text and tells usage', async () => {
    expect(await ask(textReply('Hel', 'lo'))).toEqual([
      { type: 'text', delta: 'Hel' },
      { type: 'text', delta: 'lo' },
      {
        type: 'finish',
        reason: 'stop',
        usage: { inputTokens: 10, outputTokens: 5 },
        model: 'scripted',
      },
    ]);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      authorization: 'Bearer sk-secret',
      body: { model: 'scripted', stream: true, tools: [{ type: 'function' }] },
    });
  });

  it.each([
    ['https://api.example/v1', { address: 'api.example', port: 443 }],
    ['http://api.example/v1', { address: 'api.example', port: 80 }],
    ['http://[::1]:11434/v1', { address: '::1', port: 11434 }],
  ])('says of %s where it asks', (baseUrl, server) => {
    const options = { apiKey: undefined, model: 'm', firstByteTimeoutMs: 1, timeoutMs: 1 };
    const model = new OpenAiChatModel({
      ...options,
      baseUrl,
      extraBody: {},
      returnReasoning: false,
    });
    expect(model.server).toEqual(server);
  });

  it('sends pictures and files as parts of the user message, and no empty text', async () => {
    const image = { type: 'image' as const, mediaType: 'image/png', data: 'AAAA' };
    const file = {
      type: 'file' as const,
      name: 'a.pdf',
      mediaType: 'application/pdf',
      data: 'BBBB',
    };
    const messages: ChatMessage[] = [
      { role: 'user', content: 'look', parts: [{ type: 'text', text: 'Attached' }, image, file] },
      { role: 'user', content: '', parts: [image] },
    ];
    await ask(textReply('ok'), {}, messages);
    const url = 'data:image/png;base64,AAAA';
    expect(server.requests[0]?.body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'text', text: 'Attached' },
          { type: 'image_url', image_url: { url } },
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
          },
        ],
      },
      { role: 'user', content: [{ type: 'image_url', image_url: { url } }] },
    ]);
  });

  it('puts calls together', async () => {
    const chunks = await ask(
      callReply({ module: 'a', method: 'b', input: { c: 1 } }, { module: 'd', method: 'e' }),
    );
    expect(calls(chunks)).toEqual([
      {
        id: 'call_0',
        name: 'project_cli',
        arguments: '{"module":"a","method":"b","input":{"c":1}}',
      },
      { id: 'call_1', name: 'project_cli', arguments: '{"module":"d","method":"e"}' },
    ]);
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
  });

  const f = (args: string, name = 'f') => ({ function: { name, arguments: args } });
  it.each<[string, object[], string[]]>([
    [
      'without index, by id',
      [
        { id: 'a', ...f('{"x"') },
        { id: 'a', ...f(':1}', '') },
      ],
      ['{"x":1}'],
    ],
    ['without index and id', [f('{"x"'), { function: { arguments: ':1}' } }], ['{"x":1}']],
    [
      'with an empty name later',
      [
        { index: 0, id: 'a', ...f('{') },
        { index: 0, ...f('}', '') },
      ],
      ['{}'],
    ],
    [
      'with the name in every piece',
      [
        { index: 0, id: 'a', ...f('{') },
        { index: 0, id: 'a', ...f('}') },
      ],
      ['{}'],
    ],
    ['whole, without index and id', [f('{"x":1}'), f('{"x":2}')], ['{"x":1}', '{"x":2}']],
    [
      'several under one index',
      [
        { index: 0, id: 'a', ...f('{"x":1}') },
        { index: 0, id: 'b', ...f('{"x":2}') },
      ],
      ['{"x":1}', '{"x":2}'],
    ],
    [
      'with a null id later',
      [
        { index: 0, id: 'a', ...f('{') },
        { index: 0, id: null, ...f('}', '') },
      ],
      ['{}'],
    ],
    [
      'with an object as arguments',
      [{ index: 0, function: { name: 'f', arguments: { x: 1 } } }],
      ['{"x":1}'],
    ],
    ['without arguments', [{ index: 0, id: 'a', function: { name: 'f' } }], ['']],
  ])('gathers a call that is streamed %s', async (_how, deltas, expected) => {
    const lines = deltas.map((delta) => chunk({ tool_calls: [delta] }));
    const found = calls(await ask({ lines: [...lines, chunk({}, 'stop'), '[DONE]'] }));
    expect(found.map((call) => call.arguments)).toEqual(expected);
    expect(found.every((call) => call.name === 'f')).toBe(true);
  });

  it.each<[string, ModelReply, string, string]>([
    ['no finish_reason', { lines: [chunk({ content: 'x' }), '[DONE]'] }, 'x', 'stop'],
    ['an unknown one', { lines: [chunk({ content: 'x' }, 'eos'), '[DONE]'] }, 'x', 'stop'],
    ['a cut', { lines: [chunk({ content: 'x' }), chunk({}, 'length'), '[DONE]'] }, 'x', 'length'],
    ['a filter', { lines: [chunk({ content: 'x' }, 'sensitive')] }, 'x', 'content_filter'],
    ['no [DONE]', { lines: [chunk({ content: 'x' }, 'stop')] }, 'x', 'stop'],
    ['no text', { lines: [chunk({ content: null }, 'stop'), '[DONE]'] }, '', 'stop'],
    [
      'reasoning',
      { lines: [chunk({ reasoning_content: 'hm' }), chunk({ content: 'x' }, 'stop')] },
      'x',
      'stop',
    ],
    [
      'text parts',
      { lines: [chunk({ content: [{ type: 'text', text: 'x' }] }, 'stop')] },
      'x',
      'stop',
    ],
    ['comments', { lines: [': wait\n\n', chunk({ content: 'x' }, 'stop'), '[DONE]'] }, 'x', 'stop'],
    [
      'an open connection after [DONE]',
      { lines: [chunk({ content: 'x' }, 'stop'), '[DONE]'], end: 'hang' },
      'x',
      'stop',
    ],
    [
      '[DONE] in a text',
      { lines: [chunk({ content: 'data: [DONE]\n' }), chunk({ content: 'x' }, 'stop')] },
      'data: [DONE]\nx',
      'stop',
    ],
  ])('reads an answer with %s', async (_what, reply, expected, reason) => {
    const chunks = await ask(reply);
    expect(text(chunks)).toBe(expected);
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', reason });
  });

  it('takes usage from wherever it stands', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4 };
    const chunks = await ask({ lines: [chunk({ content: 'x' }, 'stop', { usage }), '[DONE]'] });
    expect(chunks.at(-1)).toMatchObject({ usage: { inputTokens: 3, outputTokens: 4 } });
    const none = await ask({ lines: [chunk({ content: 'x' }, 'stop', { usage: null })] });
    expect(none.at(-1)).toMatchObject({ usage: null });
    const last = await ask({ lines: [chunk({ content: 'x' }, 'stop'), usageChunk(1, 2)] });
    expect(last.at(-1)).toMatchObject({ usage: { inputTokens: 1, outputTokens: 2 } });
  });

  it('is patient with a slow answer', async () => {
    const slow = Array.from({ length: 8 }, () => [
      60,
      ': wait\n\n',
      chunk({ content: '.' }),
    ]).flat();
    const chunks = await ask({ lines: [...slow, chunk({}, 'stop')] }, { timeoutMs: 2_000 });
    expect(text(chunks)).toBe('........');
  });

  it('breaks off when it is told to, and so does the endpoint', async () => {
    const controller = new AbortController();
    const reply: ModelReply = { lines: [chunk({ content: 'x' })], end: 'hang' };
    server.replies = [reply];
    const model = openModel(server, { apiKey: undefined });
    const read = async () => {
      for await (const _part of model.stream(modelRequest(), controller.signal)) {
        controller.abort(new StewardError('CANCELLED', 'stop'));
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'CANCELLED' });
    await server.aborted;
    await expect(ask(reply, { signal: controller.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('sends members that only this endpoint knows, and none over those that it needs', async () => {
    const extraBody = { thinking: { type: 'disabled' }, model: 'other', stream: false };
    await ask(textReply('x'), { extraBody });
    expect(server.requests[0]?.body).toMatchObject({
      thinking: { type: 'disabled' },
      model: 'scripted',
      stream: true,
    });
  });

  it('gives back what was reasoned before calls where the endpoint wants it', async () => {
    const call = { id: '1', name: 'project_cli', arguments: '{}' };
    const history: ChatMessage[] = [
      { role: 'assistant', content: '', toolCalls: [call], reasoning: 'Hm' },
      { role: 'tool', toolCallId: '1', content: 'r' },
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'assistant', content: 'a', toolCalls: [], reasoning: 'Hm' },
    ];
    await ask(textReply('x'), { returnReasoning: true }, history);
    const sent = () =>
      server.requests.at(-1)?.body.messages.map((message) => message.reasoning_content);
    expect(sent()).toEqual(['Hm', undefined, '', undefined]);
    await ask(textReply('x'), {}, history);
    expect(sent()).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('sends a history that endpoints accept', async () => {
    await ask(textReply('x'), {}, [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: '1', name: 'project_cli', arguments: '{"module":"a"}' },
          { id: '2', name: 'project_cli', arguments: '{broken' },
        ],
      },
      { role: 'tool', toolCallId: '1', content: 'r1' },
      { role: 'tool', toolCallId: '2', content: 'r2' },
      { role: 'assistant', content: 'a', toolCalls: [] },
    ]);
    const [, , call, ...rest] = server.requests[0]?.body.messages ?? [];
    expect(call).toMatchObject({
      content: null,
      tool_calls: [
        { id: '1', function: { arguments: '{"module":"a"}' } },
        { id: '2', function: { arguments: '{"unparsable":"{broken"}' } },
      ],
    });
    expect(rest).toEqual([
      { role: 'tool', tool_call_id: '1', content: 'r1' },
      { role: 'tool', tool_call_id: '2', content: 'r2' },
      { role: 'assistant', content: 'a' },
    ]);
  });
});
