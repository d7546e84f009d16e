import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { startTestApp, type TestApp } from '../../test/support/test-app.js';

@Controller('sample')
class SampleController {
  @Get()
  async late(): Promise<{ late: boolean }> {
    await delay(200);
    return { late: true };
  }

  @Post()
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

describe('HTTP that cannot be read', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startTestApp({ modules: [SampleModule] });
  });
  afterAll(() => server.close());

  /** What the server says until it closes. */
  async function say(text: string): Promise<string> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.write(text);
    await once(socket, 'close');
    return Buffer.concat(chunks).toString();
  }
  const begin = (method: string, path = '/api/v1/sample') =>
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  const BROKEN_BODY = `${begin('POST')}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;

  it.each([
    [400, 'INVALID_ACTION_INPUT', 'NONSENSE\r\n\r\n'],
    [400, 'INVALID_ACTION_INPUT', `${begin('GET')}no colon\r\n\r\n`],
    [431, 'LIMIT_EXCEEDED', `${begin('GET', `/api/v1/sample?q=${'x'.repeat(70_000)}`)}\r\n`],
    [431, 'LIMIT_EXCEEDED', `${begin('GET')}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    [431, 'LIMIT_EXCEEDED', `${begin('GET')}X-Long: ${'x'.repeat(2_000_000)}\r\n\r\n`],
    [400, 'INVALID_ACTION_INPUT', BROKEN_BODY],
  ])('is answered with a problem document: %i %s', async (status, code, text) => {
    const [head = '', body = ''] = (await say(text)).split('\r\n\r\n');
    const lines = head.split('\r\n');
    expect(lines[0]).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
    expect(lines).toContain('Content-Type: application/problem+json; charset=utf-8');
    expect(lines).toContain('Connection: close');
    const problem = JSON.parse(body) as Record<string, unknown>;
    expect(problem).toMatchObject({ status, code, type: `urn:steward:error:${code}` });
    expect(problem['detail']).toMatch(/^[A-Z].+\.$/);
    expect(lines).toContain(`x-request-id: ${String(problem['requestId'])}`);
  });

  it('is answered so that a client reads it which sends all before it reads', async () => {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
    const errors: unknown[] = [];
    const chunks: Buffer[] = [];
    socket.on('error', (error) => errors.push(error));
    for (const piece of [
      begin('GET'),
      'X-Long: ',
      'x'.repeat(20_000),
      'x'.repeat(20_000),
      '\r\n\r\n',
    ]) {
      socket.write(piece);
      await delay(30);
    }
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(socket, 'close');
    expect(errors).toEqual([]);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 431 /);
  });

  it.each([
    ['behind it', 'NONSENSE\r\n\r\n'],
    ['in the body of the next', BROKEN_BODY],
  ])('is not answered where the answer to an earlier request is due: %s', async (_where, text) => {
    expect(await say(`${begin('GET')}\r\n${text}`)).not.toContain('400');
  });

  it('behind a whole answer is answered by itself', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const chunks: string[] = [];
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk.toString());
      if (chunks.length === 1) socket.write('NONSENSE\r\n\r\n');
    });
    socket.write(`${begin('GET')}\r\n`);
    await once(socket, 'close');
    expect(chunks[0]).toContain('{"late":true}');
    expect(chunks.slice(1).join('')).toMatch(/^HTTP\/1\.1 400 Bad Request/);
  });
});
