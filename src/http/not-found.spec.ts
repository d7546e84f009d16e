import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { readConfig } from '../config/app-config.js';
import { createLogger, NestLogger } from '../logging/logger.js';
import { Tracing } from '../observability/tracing.js';
import { configureApp } from './configure-app.js';
import { answerTheRest } from './not-found.js';

@Module({ providers: [{ provide: Tracing, useValue: new Tracing(null) }] })
class NoModule {}

describe('what no route takes', () => {
  let app: NestExpressApplication;
  let url: string;
  const logs: string[] = [];

  beforeAll(async () => {
    const config = readConfig({ LOG_LEVEL: 'error', PORT: '0' });
    const logger = createLogger(config, { write: (line: string) => void logs.push(line) });
    app = await NestFactory.create<NestExpressApplication>(NoModule, {
      bodyParser: false,
      logger: new NestLogger(logger),
    });
    configureApp(app, config, logger);
    // What fails before this, Nest answers itself.
    await app.init();
    app.use('/broken', (_request: Request, _response: Response, next: NextFunction) =>
      next(new Error('no vault for password=hunter2-and-more')),
    );
    app.use('/half', (_request: Request, response: Response, next: NextFunction) => {
      response.write('a part');
      next(new Error('no more'));
    });
    answerTheRest(app);
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });
  beforeEach(() => void logs.splice(0));
  afterAll(() => app.close());

  const failures = () =>
    logs
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ context }) => context === 'ProblemFilter');

  it('is not found, which is nothing to log', async () => {
    const response = await fetch(`${url}/nowhere`);
    expect([response.status, await response.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'NOT_FOUND' }),
    ]);
    const malformed = await fetch(`${url}/%ff`);
    expect([malformed.status, failures()]).toEqual([404, []]);
  });

  it('is logged once when it is a fault of ours, under the id that the client gets', async () => {
    const headers = { 'x-request-id': 'asked-4711' };
    const response = await fetch(`${url}/broken?a=b`, { headers });
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toEqual([
      500,
      expect.objectContaining({ code: 'INTERNAL', requestId: 'asked-4711' }),
    ]);
    expect(text).not.toContain('vault');
    expect(failures()).toMatchObject([
      { level: 50, requestId: 'asked-4711', err: { message: 'no vault for password=[redacted]' } },
    ]);
    expect(logs.join('')).not.toContain('hunter2');
  });

  it('ends an answer that is under way, and says why in the log', async () => {
    await expect(fetch(`${url}/half`).then((response) => response.text())).rejects.toThrow();
    expect(failures()).toMatchObject([{ err: { message: 'no more' } }]);
  });
});
