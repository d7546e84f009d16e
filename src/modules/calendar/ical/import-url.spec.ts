import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../../test/support/api-client.js';
import { startProduct, type Product } from '../../../../test/support/product.js';

const GOOGLE = readFileSync('test/fixtures/ical/google.ics');
const SECRET = 'private-0a1b2c3d';

describe('importing the calendar at an address', () => {
  const pages = new Map<string, (response: ServerResponse) => void>();
  const authorized: unknown[] = [];
  let server: Server;
  let origin: string;
  let product: Product;
  let client: ApiClient;

  beforeAll(async () => {
    server = createServer((request, response) => {
      authorized.push(request.headers.authorization ?? request.headers.cookie);
      const answer = pages.get(request.url ?? '');
      if (answer) answer(response);
      else response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    product = await startProduct({ CALENDAR_IMPORT_ORIGINS: origin });
    client = await product.client().register({ timezone: 'Asia/Shanghai' });
  });
  afterAll(async () => {
    await product.close();
    server.closeAllConnections();
    server.close();
  });

  const importUrl = (url: unknown, who = client) => who.post('/calendar/import-url', { url });
  const serve = (path: string, body: Uint8Array | string, type = 'text/calendar') =>
    pages.set(path, (response) => void response.writeHead(200, { 'content-type': type }).end(body));

  it('takes its events, and again without a change', async () => {
    serve(`/${SECRET}/basic.ics`, GOOGLE);
    const url = `${origin}/${SECRET}/basic.ics`;
    expect(await importUrl(url)).toMatchObject({
      status: 200,
      body: { created: 4, updated: 0, unchanged: 0, skipped: 1 },
    });
    expect(await importUrl(url)).toMatchObject({
      status: 200,
      body: { created: 0, updated: 0, unchanged: 4, skipped: 1 },
    });
    const { body } = await client.get(
      '/calendar/events?start_at=2026-03-29T00:00:00Z&end_at=2026-04-22T00:00:00Z&limit=200',
    );
    expect(JSON.stringify(body)).toContain('Standup (moved)');
    expect(authorized).toEqual([undefined, undefined]);
    expect(product.logs.join('\n')).not.toContain(SECRET);
  });

  it('takes what changed, in the charset that the host says', async () => {
    const event = (title: string, sequence: number) =>
      Buffer.from(
        `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:at-an-address\r\nSEQUENCE:${sequence}\r\nDTSTART:20280401T070000Z\r\nSUMMARY:${title}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
        'latin1',
      );
    serve('/a.ics', event('Fest', 1));
    expect((await importUrl(`${origin}/a.ics`)).body).toMatchObject({ created: 1 });
    serve('/a.ics', event('Frühstück', 2), 'text/calendar; charset=iso-8859-1');
    expect((await importUrl(`${origin}/a.ics`)).body).toMatchObject({ created: 0, updated: 1 });
    const { body } = await client.get('/calendar/events?date=2028-04-01');
    expect(JSON.stringify(body)).toContain('Frühstück');
  });

  it('says what is wrong with what lies there, and keeps nothing', async () => {
    serve('/page', '<!doctype html><title>Sign in</title>', 'text/html');
    expect(await importUrl(`${origin}/page`)).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_ACTION_INPUT',
        issues: [{ path: 'url', message: expect.stringContaining('Line 1') }],
      },
    });
    serve('/large', Buffer.alloc(5 * 1024 * 1024 + 1, 65));
    expect(await importUrl(`${origin}/large`)).toMatchObject({
      status: 413,
      body: { code: 'LIMIT_EXCEEDED', detail: expect.stringContaining('5 MiB') },
    });
    pages.set('/broken', (response) => void response.destroy());
    expect(await importUrl(`${origin}/broken`)).toMatchObject({
      status: 503,
      body: { code: 'DEPENDENCY_UNAVAILABLE' },
    });
    pages.set('/away', (response) => void response.writeHead(302, { location: product.url }).end());
    for (const url of [
      `${origin}/away`,
      `${product.url}/healthz`,
      'http://127.0.0.1:1/',
      'https://127.0.0.1/a.ics',
      'https://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
    ]) {
      expect(await importUrl(url)).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_ACTION_INPUT',
          detail: expect.stringContaining('url: must be the https address'),
        },
      });
    }
    for (const url of ['', 5, null, 'x'.repeat(2001), undefined]) {
      expect(await importUrl(url)).toMatchObject({ status: 400 });
    }
    expect((await importUrl(`${origin}/page`, product.client())).status).toBe(401);
  });

  it('reads one address of a person at a time', async () => {
    const held = new Promise<ServerResponse>((resolve) => void pages.set('/held', resolve));
    const first = importUrl(`${origin}/held`);
    const response = await held;
    expect(await importUrl(`${origin}/a.ics`)).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED' },
    });
    const other = await product.client().register();
    expect((await importUrl(`${origin}/a.ics`, other)).status).toBe(200);
    response.end(GOOGLE);
    expect((await first).status).toBe(200);
    expect((await importUrl(`${origin}/a.ics`)).status).toBe(200);
  });

  it('is no method that a model has', async () => {
    const { body } = await client.post('/credentials', { scope: ['*'] });
    const answer = await client.post(
      '/tools/project_cli',
      { module: 'help', method: 'methods', input: {} },
      { authorization: `Bearer ${String(body.credential)}` },
    );
    expect(JSON.stringify(answer.body)).toContain('import_ics');
    expect(JSON.stringify(answer.body)).not.toMatch(/import_?url/i);
  });

  it('can be switched off', async () => {
    const closed = await startProduct({ CALENDAR_IMPORT_FROM: 'off' });
    try {
      const person = await closed.client().register();
      expect(await importUrl(`${origin}/a.ics`, person)).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    } finally {
      await closed.close();
    }
  });
});
