import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { QueryInteger } from '../common/query-values.js';
import { startTestApp, type TestApp } from '../../test/support/test-app.js';
import { StewardError } from '../common/steward-error.js';

class Named {
  @IsString()
  name!: string;
}

class Child extends Named {
  @IsOptional()
  @IsBoolean()
  kept?: boolean;
}

class Sample {
  @IsString()
  @MaxLength(10)
  title!: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => Child)
  child?: Child;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Child)
  children?: Child[];
}

class SampleQuery {
  @IsOptional()
  @IsInt()
  @QueryInteger()
  limit?: number;
}

@Controller('sample')
class SampleController {
  @Post()
  create(@Body() body: Sample): Sample {
    return body;
  }

  @Get()
  list(@Query() query: SampleQuery): SampleQuery {
    return query;
  }

  @Get('broken')
  broken(): never {
    throw new Error('SELECT secret FROM vault');
  }

  @Get('limited')
  limited(): never {
    throw new StewardError('RATE_LIMITED', 'Slow down.', { retryAfterMs: 1500 });
  }

  @Get('closed')
  closed(): never {
    throw new StewardError('CREDENTIAL_EXPIRED', 'The token has expired.');
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

describe('the HTTP platform', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startTestApp({
      modules: [SampleModule],
      env: {
        HTTP_BODY_MAX_BYTES: '1000000',
        CORS_ORIGINS: 'https://app.example',
        RATE_LIMIT_PER_MINUTE: '1000',
      },
    });
  });
  afterAll(() => server.close());

  async function call(path: string, init?: RequestInit): Promise<Answer> {
    const response = await fetch(`${server.url}/api/v1${path}`, init);
    const { status, headers } = response;
    return { status, headers, body: (await response.json()) as Record<string, unknown> };
  }
  const post = (body: string, headers: Record<string, string> = {}) =>
    call('/sample', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('passes a good body and answers with a request id', async () => {
    const answer = await post('{"title":"x"}', { 'x-request-id': 'abc-1' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ title: 'x' });
    expect(answer.headers.get('x-request-id')).toBe('abc-1');
  });

  const wide = JSON.stringify(
    Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`k${i}`, 1])),
  );
  const long = JSON.stringify({
    title: 'x',
    child: Array.from({ length: 70_000 }, () => ({ n: 1 })),
  });
  const deep = `{"title":"x","child":${'{"name":'.repeat(5000)}1${'}'.repeat(5000)}}`;
  it.each([
    ['malformed JSON', '{"title":', 400, 'INVALID_ACTION_INPUT'],
    ['wrong type', '{"title":5}', 400, 'INVALID_ACTION_INPUT'],
    ['unknown member', '{"title":"x","extra":1}', 400, 'INVALID_ACTION_INPUT'],
    ['nested fault', '{"title":"x","child":{"name":1}}', 400, 'INVALID_ACTION_INPUT'],
    ['an array', '[]', 400, 'INVALID_ACTION_INPUT'],
    ['a string', '"x"', 400, 'INVALID_ACTION_INPUT'],
    ['null', 'null', 400, 'INVALID_ACTION_INPUT'],
    ['nothing', '', 400, 'INVALID_ACTION_INPUT'],
    ['__proto__', '{"title":"x","__proto__":{"admin":true}}', 400, 'INVALID_ACTION_INPUT'],
    ['toString', '{"title":"x","toString":1}', 400, 'INVALID_ACTION_INPUT'],
    [
      'valueOf, nested',
      '{"title":"x","child":{"name":"y","valueOf":1}}',
      400,
      'INVALID_ACTION_INPUT',
    ],
    ['a bearer token', '{"title":"Bearer abcdefghijklmnop1234567890"}', 400, 'CREDENTIAL_IN_INPUT'],
    ['70,000 members', wide, 400, 'INVALID_ACTION_INPUT'],
    ['70,000 list items', long, 400, 'INVALID_ACTION_INPUT'],
    ['depth', deep, 400, 'INVALID_ACTION_INPUT'],
    ['size', JSON.stringify({ title: 'x'.repeat(2_000_000) }), 413, 'LIMIT_EXCEEDED'],
  ])('refuses a body with %s', async (_name, body, status, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ status, code, type: `urn:steward:error:${code}` });
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
  });

  it('refuses a body that is not JSON by its type, charset or encoding', async () => {
    const text = await post('title=x', { 'content-type': 'text/plain' });
    expect(text).toMatchObject({ status: 400, body: { code: 'INVALID_ACTION_INPUT' } });
    const charset = await post('{}', { 'content-type': 'application/json; charset=klingon' });
    expect(charset).toMatchObject({ status: 415, body: { code: 'INVALID_ACTION_INPUT' } });
    const encoding = await post('{}', { 'content-encoding': 'zip' });
    expect(encoding).toMatchObject({ status: 415, body: { code: 'INVALID_ACTION_INPUT' } });
  });

  it('names every fault with its path', async () => {
    const { body } = await post('{"title":"longer than ten","child":{"name":1},"x":1}');
    const issues = body.issues as { path: string }[];
    expect(issues.map((issue) => issue.path).sort()).toEqual(['child.name', 'title', 'x']);
  });

  it('says what would have been accepted', async () => {
    const { body } = await post('{"title":"longer than ten"}');
    expect(body.issues).toMatchObject([{ path: 'title', expected: 'at most 10 characters' }]);
    expect(JSON.stringify(body)).not.toContain('longer than ten');
  });

  it.each([
    ['{"titel":"x"}', 'titel', 'title'],
    ['{"title":"x","Child":{"name":"y"}}', 'Child', 'child'],
    ['{"title":"x","child":{"nam":"y"}}', 'child.nam', 'name'],
    ['{"title":"x","children":[{"name":"y"},{"name":"z","naem":1}]}', 'children.1.naem', 'name'],
    ['{"title":"x","child":{"name":"y","kept":true,"kpet":1}}', 'child.kpet', 'kept'],
  ])('says for %s which member was meant', async (sent, path, meant) => {
    const { status, body } = await post(sent);
    expect(status).toBe(400);
    const issues = body.issues as { path: string; message: string; expected: string }[];
    const issue = issues.find((one) => one.path === path);
    expect(issue?.message).toBe(`There is no such member. Did you mean "${meant}"?`);
    expect(issue?.expected).toContain(meant);
  });

  it('guesses nothing for a member that is like no other', async () => {
    const { body } = await post('{"title":"x","colour":1}');
    expect(body.detail).toBe('colour: There is no such member.');
    expect(body.issues).toEqual([
      {
        path: 'colour',
        message: 'There is no such member.',
        expected: 'one of title, child, children',
      },
    ]);
  });

  it('tells the first twenty of many faults', async () => {
    const children = Array.from({ length: 5000 }, () => ({ name: 'x', naem: 1 }));
    const { body } = await post(JSON.stringify({ title: 'x', children }));
    expect(body.issues).toHaveLength(20);
  });

  it('checks the query as strictly', async () => {
    expect((await call('/sample?limit=5')).body).toEqual({ limit: 5 });
    expect((await call('/sample?limit=five')).body).toMatchObject({ code: 'INVALID_ACTION_INPUT' });
    expect((await call('/sample?nope=1')).body).toMatchObject({ code: 'INVALID_ACTION_INPUT' });
    expect((await call('/sample?limt=1')).body.detail).toContain('Did you mean "limit"?');
  });

  it('hides a fault of ours and keeps nothing of its message', async () => {
    const answer = await call('/sample/broken');
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe('INTERNAL');
    expect(JSON.stringify(answer.body)).not.toContain('vault');
  });

  it('sets the headers that belong to a code', async () => {
    expect((await call('/sample/limited')).headers.get('retry-after')).toBe('2');
    const closed = await call('/sample/closed');
    expect(closed.headers.get('www-authenticate')).toContain('invalid_token');
  });

  it('never repeats what a parser read', async () => {
    const { body } = await post('{"title":"x","password":hunter2secret}');
    expect(body.detail).toBe('The body is not valid JSON.');
  });

  it('refuses a foreign Host on loopback and a foreign Origin', async () => {
    const statusWith = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(server.url);
        const path = '/api/v1/sample';
        httpRequest({ hostname, port, path, headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    expect(await statusWith({ host: 'evil.example' })).toBe(403);
    expect(await statusWith({ host: 'localhost.evil.example' })).toBe(403);
    expect(await statusWith({ origin: 'http://evil.example' })).toBe(403);
    expect(await statusWith({ origin: 'null' })).toBe(403);
    expect(await statusWith({ host: 'localhost:3000' })).toBe(200);
    expect(await statusWith({ origin: 'https://app.example' })).toBe(200);
    expect(await statusWith({ origin: server.url })).toBe(200);
  });

  it('answers unknown routes and malformed URLs with problem documents', async () => {
    expect(await call('/nowhere')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      httpRequest({ hostname, port, path: '/api/v1/%E0%A4%A' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect([400, 404]).toContain(status);
  });

  it('reports liveness and readiness outside the prefix', async () => {
    const alive = await fetch(`${server.url}/healthz`);
    expect(await alive.json()).toEqual({ status: 'ok' });
    const ready = await fetch(`${server.url}/readyz`);
    expect(await ready.json()).toEqual({
      status: 'ok',
      database: 'up',
      notifications: 'up',
      objectStore: 'up',
    });
  });
});

describe('the rate limit', () => {
  it('counts the whole API and says when to come back', async () => {
    const server = await startTestApp({
      modules: [SampleModule],
      env: { RATE_LIMIT_PER_MINUTE: '3' },
    });
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i += 1) {
        const path = i % 2 === 0 ? '/api/v1/sample' : '/api/v1/sample?limit=1';
        statuses.push((await fetch(server.url + path)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 429]);
      const refused = await fetch(`${server.url}/api/v1/sample`);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});
