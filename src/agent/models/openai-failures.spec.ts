import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { askModel, type AskArguments } from '../../../test/support/ask-model.js';
import {
  chunk,
  startModelServer,
  textReply,
  type ModelReply,
  type ModelServer,
} from '../../../test/support/model-server.js';
import { StewardError } from '../../common/steward-error.js';
import { readAnswer } from './model-answer.js';

/** Four MiB without a line break. */
const LONG = Array.from({ length: 64 }, () => 'x'.repeat(64 * 1024));

describe('OpenAiChatModel when the endpoint fails', () => {
  let server: ModelServer;

  const ask = (...args: AskArguments) => askModel(server, ...args);

  beforeAll(async () => {
    server = await startModelServer();
  });
  beforeEach(() => {
    server.requests.length = 0;
  });
  afterAll(() => server.close());

  const oops = { error: { message: 'key sk-secret of /home/x', type: 'oops' } };
  it.each<[string, ModelReply, string, boolean]>([
    ['500', { status: 500, lines: [oops] }, 'DEPENDENCY_UNAVAILABLE', true],
    ['401', { status: 401, lines: [oops] }, 'DEPENDENCY_UNAVAILABLE', false],
    ['409', { status: 409, lines: [oops] }, 'DEPENDENCY_UNAVAILABLE', true],
    ['422', { status: 422, lines: [oops] }, 'DEPENDENCY_UNAVAILABLE', false],
    ['404 with a page', { status: 404, lines: ['<html>'] }, 'DEPENDENCY_UNAVAILABLE', false],
    [
      'a conversation that is too long',
      { status: 400, lines: [{ error: { message: 'x', code: 'context_length_exceeded' } }] },
      'LIMIT_EXCEEDED',
      false,
    ],
    [
      'an error in the stream',
      { lines: [chunk({ content: 'x' }), oops] },
      'DEPENDENCY_UNAVAILABLE',
      true,
    ],
    ['garbage', { lines: ['data: {not json\n\n'] }, 'DEPENDENCY_UNAVAILABLE', true],
    ['a chunk of another kind', { lines: ['data: 42\n\n'] }, 'DEPENDENCY_UNAVAILABLE', true],
    ['an empty stream', { lines: [] }, 'DEPENDENCY_UNAVAILABLE', true],
    ['an early end', { lines: [chunk({ content: 'x' })] }, 'DEPENDENCY_UNAVAILABLE', true],
    [
      'a broken connection',
      { lines: [chunk({ content: 'x' }), 20], end: 'break' },
      'DEPENDENCY_UNAVAILABLE',
      true,
    ],
    [
      'a failure of its own',
      { lines: [chunk({}, 'network_error')] },
      'DEPENDENCY_UNAVAILABLE',
      true,
    ],
  ])('says that the model cannot be had on %s', async (_what, reply, code, retryable) => {
    const error: unknown = await ask(reply).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StewardError);
    expect(error).toMatchObject({ code, retryable });
    expect(String(error)).not.toMatch(/secret|home/);
  });

  it.each<[string, ModelReply, string]>([
    ['a rate limit in its stream', { lines: [{ error: { code: '1302' } }] }, 'RATE_LIMITED'],
    [
      'a rate limit of tokens',
      { status: 429, lines: [{ error: { message: 'too many tokens' } }] },
      'RATE_LIMITED',
    ],
    [
      'a failure of a gateway',
      { lines: [{ code: 50_001, msg: 'oops' }] },
      'DEPENDENCY_UNAVAILABLE',
    ],
    [
      'a failure in a document',
      { lines: ['{"error":{"message":"no"}}'] },
      'DEPENDENCY_UNAVAILABLE',
    ],
    ['a prompt that is too long', { lines: [{ error: { code: '1261' } }] }, 'LIMIT_EXCEEDED'],
    [
      'a chunk that is nested without end',
      {
        lines: [
          `data: {"usage":{"prompt_tokens":1},"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n\n`,
          chunk({ content: 'x' }, 'stop'),
        ],
      },
      'DEPENDENCY_UNAVAILABLE',
    ],
    [
      'an event that is an error',
      { lines: ['event: error\ndata: {"code":"1302"}\n\n', chunk({ content: 'x' }, 'stop')] },
      'RATE_LIMITED',
    ],
    [
      'an event that tells of one in words',
      { lines: ['event: error\ndata: boom\n\n', chunk({ content: 'x' }, 'stop')] },
      'DEPENDENCY_UNAVAILABLE',
    ],
    [
      'a failure that is told for ever',
      { status: 500, lines: Array.from({ length: 4 }, () => 'x'.repeat(64 * 1024)), end: 'hang' },
      'DEPENDENCY_UNAVAILABLE',
    ],
    ['a line without end', { lines: ['data: ', ...LONG], end: 'hang' }, 'LIMIT_EXCEEDED'],
    [
      'an event without end',
      { lines: LONG.map((x) => `data: ${x}\n`), end: 'hang' },
      'LIMIT_EXCEEDED',
    ],
    ['a document without end', { lines: ['{"a":"', ...LONG], end: 'hang' }, 'LIMIT_EXCEEDED'],
    [
      'a line without end that is packed small',
      {
        headers: { 'content-encoding': 'gzip' },
        lines: [gzipSync(`data: ${'x'.repeat(48 * 1024 * 1024)}`)],
        end: 'hang',
      },
      'LIMIT_EXCEEDED',
    ],
    [
      'calls without end',
      {
        lines: [
          chunk({
            tool_calls: Array.from({ length: 50_000 }, (_, index) => ({
              index,
              function: { name: 'p' },
            })),
          }),
        ],
        end: 'hang',
      },
      'LIMIT_EXCEEDED',
    ],
    [
      'an answer without end',
      { lines: Array.from({ length: 70 }, () => ' '.repeat(1024 * 1024)) },
      'LIMIT_EXCEEDED',
    ],
  ])('reads %s', async (_what, reply, code) => {
    await expect(ask(reply)).rejects.toMatchObject({ code });
  });

  it('lets others have their turn while an answer arrives without a pause', async () => {
    const small = Array.from({ length: 60_000 }, () => ({ choices: [] }));
    const body = small.map((line) => `data: ${JSON.stringify(line)}\n\n`).join('');
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < body.length; at += 10_000) {
          controller.enqueue(Buffer.from(body.slice(at, at + 10_000)));
        }
        controller.close();
      },
    });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    let read = 0;
    for await (const _part of readAnswer(pieces, () => undefined)) read += 1;
    clearInterval(timer);
    expect(read).toBe(60_000);
    expect(turns).toBeGreaterThan(0);
  });

  it('passes on how long to wait', async () => {
    const reply = { status: 429, headers: { 'retry-after': '7' }, lines: [oops] };
    await expect(ask(reply)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { retryAfterMs: 7000 },
    });
  });

  it('tries nothing again by itself', async () => {
    const busy = { status: 503, headers: { 'retry-after-ms': '1' }, lines: [oops] };
    await expect(ask([busy, textReply('x')])).rejects.toMatchObject({
      code: 'DEPENDENCY_UNAVAILABLE',
      details: { retryAfterMs: 1 },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('gives up on silence, before or within an answer', async () => {
    const silent: [ModelReply, object][] = [
      [{ lines: [], end: 'hang' }, { timeoutMs: 100 }],
      [{ lines: [chunk({ content: 'x' })], end: 'hang' }, { timeoutMs: 100 }],
      [{ lines: [], headers: 'never' }, { firstByteTimeoutMs: 100 }],
    ];
    for (const [reply, patience] of silent) {
      await expect(ask(reply, patience)).rejects.toMatchObject({ code: 'TIMEOUT' });
    }
  });
});
