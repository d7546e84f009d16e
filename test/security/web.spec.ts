import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SseStreamer } from '../../src/sse/sse-streamer.js';
import type { ApiClient, StreamFrame } from '../support/api-client.js';
import { manyPeople } from '../support/many-people.js';
import {
  callReply,
  startModelServer,
  textReply,
  type ModelRequest,
  type ModelServer,
} from '../support/model-server.js';
import { startProduct, type Product } from '../support/product.js';

/** A server inside the network that notes what it is asked. */
async function startInside() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { asked, port, url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** What reaches the server over the network, and what it reaches. */
describe('the product on a network', () => {
  let model: ModelServer;
  let inside: Awaited<ReturnType<typeof startInside>>;
  let product: Product;
  let person: ApiClient;

  beforeAll(async () => {
    model = await startModelServer();
    inside = await startInside();
    product = await startProduct({
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'scripted',
      CLI_EXECUTOR: 'inline',
    });
    person = await product.client().register();
  }, 60_000);
  afterEach(() => {
    model.replies = [];
    inside.asked.length = 0;
  });
  afterAll(async () => {
    await product.close();
    await model.close();
    inside.close();
  });

  async function call(credential: string, method: string, input: object): Promise<unknown> {
    const response = await fetch(`${product.url}/api/v1/tools/project_cli`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ module: 'contacts', method, input }),
    });
    return response.json();
  }

  /** As curl would, with headers that fetch does not let through. */
  async function send(method: string, path: string, headers: Record<string, string> = {}) {
    const { hostname, port } = new URL(product.url);
    const sent = httpRequest({ hostname, port, path, method, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return { status: response.statusCode, headers: response.headers };
  }

  // CVE-2025-66414. Defence: src/http/same-site.ts: sameSite.
  it('answers no page that reached it by a rebound name or from another origin', async () => {
    const paths = ['/', '/docs', '/openapi.json', '/healthz', '/api/v1/auth/me', '/nowhere'];
    const foreign: Record<string, string>[] = [
      { host: 'rebound.example' },
      { host: `127.0.0.1.rebound.example:80` },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const path of [...paths, '/api/v1/tools/project_cli', '/api/v1/agent/runs']) {
      for (const headers of foreign) {
        const { status } = await send(path.includes('/agent') ? 'POST' : 'GET', path, headers);
        expect([path, headers, status]).toEqual([path, headers, 403]);
      }
    }
    const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const { status, headers } = await send('OPTIONS', '/api/v1/agent/runs', preflight);
    expect(status).toBe(403);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  // OWASP API8. Defence: src/http/configure-app.ts: configureApp (helmet, x-powered-by).
  it('sends the headers that browsers need, whatever it answers', async () => {
    for (const path of ['/docs', '/openapi.json', '/healthz', '/api/v1/auth/me', '/nowhere']) {
      const { headers } = await send('GET', path);
      expect([path, headers]).toEqual([
        path,
        expect.objectContaining({
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'SAMEORIGIN',
          'referrer-policy': 'no-referrer',
          'strict-transport-security': expect.stringContaining('max-age='),
          'content-security-policy': expect.stringContaining("default-src 'self'"),
        }),
      ]);
      expect(Object.keys(headers)).not.toContain('x-powered-by');
      expect(Object.keys(headers)).not.toContain('access-control-allow-origin');
    }
    const trace = await send('TRACE', '/api/v1/auth/me', { authorization: 'Bearer x' });
    expect(trace.status).toBe(404);
  });

  // OWASP API7, CVE-2026-26118, CVE-2026-44430. Defence: src/common/remote/remote-target.ts:
  // remoteTarget; redirects and names that resolve inside: remote-files.spec.ts.
  it('reads no address inside the network, however it is written', async () => {
    const { port } = inside;
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f000001', '0177.0.0.1'];
    const sixes = ['[::ffff:127.0.0.1]', '[2002:7f00:1::]', '[64:ff9b::7f00:1]', '[fe80::1]'];
    const clouds = ['169.254.169.254', '10.0.0.1', '192.168.0.1', '100.100.100.200', '0.0.0.0'];
    const urls = [...hosts, ...sixes, ...clouds].flatMap((host) => [
      `http://${host}:${port}/a`,
      `https://${host}:${port}/a`,
      `https://${host}/a`,
      `webcal://${host}/a`,
    ]);
    const odd = [
      'file:///etc/passwd',
      'ftp://example.com/a',
      'gopher://x/',
      'data:text/calendar,x',
    ];
    const dressed = [`https://example.com@127.0.0.1:${port}/`, `https://example.com%2f@x/`];
    const answers = new Set<string>();
    for (const url of [...urls, ...odd, ...dressed]) {
      const { status, body } = await person.post('/calendar/import-url', { url });
      answers.add(`${status} ${String(body.detail)}`);
    }
    expect([...answers]).toEqual([expect.stringMatching(/^400 url: must be the https address/)]);
    expect(inside.asked).toEqual([]);
  });

  // OWASP API7. Defence: src/agent/runs/requests/agui-part.ts: readPart; nothing but
  // src/common/remote/remote-files.ts and the configured endpoints opens a connection.
  it('fetches nothing that stands in a contact, an event, a file or a message', async () => {
    const url = `${inside.url}/picture.png`;
    const card = `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:A\r\nPHOTO;VALUE=uri:${url}\r\nURL:${url}\r\nEND:VCARD\r\n`;
    const file = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:x',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTAMP:20300506T000000Z',
      'DTSTART:20300506T100000Z',
      'SUMMARY:Fetch me',
      `ATTACH:${url}`,
      `URL:${url}`,
      `IMAGE;VALUE=URI:${url}`,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n');
    const take = async (path: string, type: string, body: string) =>
      (await person.raw(path, { method: 'POST', headers: { 'content-type': type }, body })).status;
    expect(await take('/contacts/import', 'text/vcard', card)).toBe(200);
    expect(await take('/calendar/import', 'text/calendar', file)).toBe(200);
    for (const path of ['/contacts', '/contacts/export', '/calendar/events', '/calendar/export']) {
      await (await person.raw(path)).text();
    }
    for (const part of [
      { type: 'image', source: { type: 'url', value: url } },
      { type: 'binary', mimeType: 'image/png', url },
    ]) {
      const messages = [{ id: 'm', role: 'user', content: [part] }];
      expect((await person.post('/agent/runs', { messages })).status).toBe(400);
    }
    expect(inside.asked).toEqual([]);
  });

  // OWASP API10. Defence: src/agent/models/endpoint-fetch.ts: endpointFetch (redirect: error).
  it('does not follow the model endpoint to another host with what people said', async () => {
    const location = `${inside.url}/v1/chat/completions`;
    model.replies = Array.from({ length: 6 }, () => ({
      status: 307,
      headers: { location },
      lines: ['{}'],
    }));
    const { frames } = await person.say('A secret plan');
    expect(frames.at(-1)?.event).toMatchObject({
      type: 'RUN_ERROR',
      code: 'DEPENDENCY_UNAVAILABLE',
    });
    expect(inside.asked).toEqual([]);
  });

  // CVE-2026-25536. Defence: src/tool-router/current-call.ts: CurrentCall (one context per call). That
  // calls of runs with the same id are told apart by their user shows call-ledger.spec.ts.
  it('mixes nothing between people who call and stream at the same time, under the same ids', async () => {
    const crowd = await manyPeople(product, person, 8);
    const mark = (at: number) => `canary${String(at).padStart(2, '0')}x`;
    const skill = (at: number) => (at % 2 === 0 ? 'calendar' : 'contacts');
    // The endpoint answers with what it was asked, so that a mixed context would show.
    model.replies = crowd.flatMap(() => [echo, echo]);
    for (const [at, one] of crowd.entries()) await one.post('/contacts', { name: mark(at) });
    // A call that is counted asks the database in the middle, while others go on.
    const capability = '/admin/capabilities/help.skills';
    const etag = (await person.get(capability)).headers.get('etag') ?? '';
    const counted = { limits: { callsPerUserPerDay: 1_000 } };
    const change = await person.call('PATCH', capability, counted, { 'if-match': etag });
    expect(change.status).toBe(200);
    const seen = await Promise.all(
      crowd.map(async (one, at) => {
        const { credential } = await one.credential();
        const work = async (n: number): Promise<unknown> => {
          if (n === 0) return one.post('/memories', { text: `Knows ${mark(at)}` });
          if (n % 3 === 0) return call(credential, 'read', { mode: 'list' });
          if (n % 3 === 1) return one.get('/memories');
          return call(credential, 'create', { name: `${mark(at)} ${n}` });
        };
        const [frames, ...answers] = await Promise.all([
          runOf(one, mark(at), skill(at)),
          ...Array.from({ length: 5 }, (_, n) => work(n)),
        ]);
        const kept = [await one.get('/agent/history'), await one.get('/contacts')];
        const results = frames.filter(({ event }) => event.type === 'TOOL_CALL_RESULT');
        return {
          results: JSON.stringify(results),
          text: JSON.stringify([frames, answers, kept]),
        };
      }),
    );
    for (const [at, { results, text }] of seen.entries()) {
      expect([...new Set(text.match(/canary\d\dx/g))]).toEqual([mark(at)]);
      expect(text).toContain(`You said ${mark(at)}`);
      // What the person has, and the skill that this run alone may see.
      expect(results).toContain(mark(at));
      const skills = results.matchAll(/name[\\":]+(calendar|contacts|memory)\b/g);
      expect([...new Set([...skills].map(([, name]) => name))]).toEqual([skill(at)]);
    }
  }, 60_000);

  // Defence: src/sse/sse-streamer.ts: stream (the response's close ends the follower and gives the
  // place back).
  it('keeps nothing of streams that their clients abandon', async () => {
    model.replies = [{ lines: [], end: 'hang' }];
    const { body } = await person.post('/agent/runs', { message: 'Wait' });
    const { threadId, runId } = body as { threadId: string; runId: string };
    const streamer = product.app.get(SseStreamer, { strict: false });
    for (let round = 0; round < 3; round += 1) {
      const leaving = new AbortController();
      const { signal } = leaving;
      const open = await Promise.all(
        Array.from({ length: 40 }, () => person.raw(`/agent/runs/${threadId}/events`, { signal })),
      );
      expect(open.map(({ status }) => status)).toEqual(Array(40).fill(200));
      expect(streamer.openStreams).toBe(40);
      leaving.abort();
      await Promise.allSettled(open.map((response) => response.text()));
      while (streamer.openStreams > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await person.post(`/agent/runs/${runId}/cancel`, {});
  });
});

/** The stream of an AG-UI run whose id everybody gives to theirs, as the model does to its calls. */
async function runOf(person: ApiClient, content: string, skill: string): Promise<StreamFrame[]> {
  const threadId = `thread-of-${person.userId}`;
  const started = await person.post('/agent/runs', {
    threadId,
    runId: 'same',
    state: {},
    tools: [],
    context: [],
    forwardedProps: { enabledSkills: [skill] },
    messages: [{ id: 'm-1', role: 'user', content }],
  });
  if (started.status !== 202) throw new Error(JSON.stringify(started.body));
  const frames: StreamFrame[] = [];
  for await (const frame of person.frames(`/agent/runs/${threadId}/events`)) frames.push(frame);
  return frames;
}

/** A model that calls once, then says what the person said. */
function echo({ body: { messages } }: ModelRequest) {
  const said = messages.findLast(({ role }) => role === 'user')?.content;
  return messages.at(-1)?.role === 'tool'
    ? textReply(`You said ${String(said)}`)
    : callReply(
        { module: 'contacts', method: 'read', input: { mode: 'list' } },
        { module: 'help', method: 'skills' },
      );
}
