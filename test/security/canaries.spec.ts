import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { ApiClient } from '../support/api-client.js';
import { createTestDatabase } from '../support/database.js';
import { upload } from '../support/files.js';
import {
  callReply,
  chunk,
  startModelServer,
  textReply,
  type ModelReply,
  type ModelServer,
} from '../support/model-server.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';
import { SpanCollector } from '../observability/span-collector.js';
import { TableHold } from '../support/table-hold.js';
import { Canaries } from './canary/canaries.js';
import { everyFile, everyRow } from './canary/places.js';
import { seeProjectCli, type SeenProcess } from './canary/project-cli-process.js';

const ALLOWED_ENVIRONMENT = [
  'PROJECT_CLI_CONTEXT',
  'PROJECT_CLI_CREDENTIAL',
  'PROJECT_CLI_ENDPOINT',
  'PROJECT_CLI_TIMEOUT_MS',
];
const START = '2026-12-02T10:00:00+08:00';
const END = '2026-12-02T11:00:00+08:00';

/**
 * Field notes, "a token in a header, input or error reaches logs, events or replay": secrets are put
 * into every place that takes one, and looked for in every place that keeps or shows something.
 */
describe('secrets', () => {
  const canaries = new Canaries();
  /** Everything that was answered, head and body. */
  const answers: string[] = [];
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataDir: string;
  const collector = new SpanCollector();
  let model: ModelServer;
  let server: ServerProcess;
  let person: ApiClient;
  let child: SeenProcess | undefined;

  beforeAll(async () => {
    model = await startModelServer();
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'steward-canaries-'));
    canaries.watch('password of DATABASE_URL', new URL(database.url).password);
    const { privateKey } = generateKeyPairSync('ed25519');
    const signingKey = privateKey.export({ format: 'jwk' });
    canaries.watch('AUTH_SIGNING_KEY', String(signingKey.d));
    server = await startServerProcess({
      LOG_LEVEL: 'trace',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'scripted',
      MODEL_API_KEY: canaries.providerKey('MODEL_API_KEY'),
      OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(),
      AUTH_SIGNING_KEY: JSON.stringify(signingKey),
      AWS_SECRET_ACCESS_KEY: canaries.plain('a variable of somebody else'),
      TOOL_OUTPUT_STORAGE: 'always',
      RATE_LIMIT_PER_MINUTE: '100000',
      REFUSED_CREDENTIALS_PER_MINUTE: '100000',
      TOOL_RATE_LIMIT_PER_MINUTE: '100000',
      SIGN_IN_ATTEMPTS_PER_MINUTE: '1000',
    });
    person = await new ApiClient(server.url).register();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await model.close();
    await collector.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Sends a request and keeps the answer. */
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await person.raw(path, init);
    const head = JSON.stringify([...response.headers]);
    answers.push(`${init.method ?? 'GET'} ${path.split('?')[0]?.slice(0, 40)} ${head}`);
    answers.push(await response.clone().text());
    return response;
  };
  const post = (path: string, body: unknown, headers = {}, method = 'POST') =>
    ask(path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const inDatabase = async (sql: string, values: unknown[] = []): Promise<void> => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql, values);
    await client.end();
  };
  /** One run whose model says what is scripted; what it streams and what is replayed is kept. */
  const run = async (...replies: ModelReply[]): Promise<string> => {
    model.replies.push(...replies);
    const { threadId, frames } = await person.say('go on');
    answers.push(JSON.stringify(frames));
    for (const encoding of ['app', 'agui']) {
      const path = `/agent/runs/${threadId}`;
      await ask(`${path}/history?limit=100${encoding === 'agui' ? '&encoding=agui' : ''}`);
      await ask(`${path}/events?after=0&encoding=${encoding}`);
    }
    return threadId;
  };

  it('in headers, paths and queries are taken by nobody', async () => {
    for (const path of ['/auth/me', '/calendar/events', '/none', '/agent/threads']) {
      for (const authorization of [
        `Bearer ${canaries.jwt('Authorization')}`,
        canaries.bearer('Authorization'),
        `Basic ${Buffer.from(`amy:${canaries.plain('Basic')}`).toString('base64')}`,
        canaries.plain('Authorization without a scheme'),
      ]) {
        expect((await ask(path, { headers: { authorization } })).status).toBeGreaterThan(400);
      }
      await ask(path, {
        headers: {
          cookie: `session=${canaries.plain('Cookie')}`,
          'x-api-key': canaries.plain('X-Api-Key'),
          'proxy-authorization': canaries.bearer('Proxy-Authorization'),
          referer: `http://localhost/?token=${canaries.plain('Referer')}`,
          'x-request-id': canaries.providerKey('X-Request-Id'),
        },
      });
      for (const name of ['access_token', 'token', 'api_key', 'query', 'ticket', 'cursor']) {
        await ask(`${path}?${name}=${canaries.plain(`?${name}=`)}`);
      }
    }
    for (const [, secret] of canaries.everyLook('path')) {
      await ask(`/calendar/events/${encodeURIComponent(secret)}`);
      await ask(`/agent/runs/${encodeURIComponent(secret)}/events`);
      await ask(`/agent/runs/${encodeURIComponent(secret)}/history`);
      await ask(`/credentials/${encodeURIComponent(secret)}`, { method: 'DELETE' });
    }
    await ask(`/calendar/feeds/${canaries.plain('subscription')}.ics`);
  });

  it('of sign-in are not repeated', async () => {
    const { email } = person;
    const tries: [string, object][] = [
      ['/auth/token', { email, password: canaries.plain('wrong password') }],
      ['/auth/token', { email: canaries.plain('no address'), password: canaries.plain('pw') }],
      ['/auth/refresh', { refreshToken: canaries.plain('refresh token') }],
      ['/auth/register', { email, password: canaries.plain('taken address') }],
      ['/auth/register', { email: 'x', passwort: canaries.plain('unknown member') }],
    ];
    for (const [path, body] of tries) {
      expect((await post(path, body)).status).toBeGreaterThanOrEqual(400);
    }
    const password = canaries.plain('right password');
    const other = { email: `canary.${process.pid}@example.com`, password };
    expect((await post('/auth/register', other)).status).toBe(201);
    // The tokens of an answer are the caller's; they must not be anywhere else.
    const { accessToken, refreshToken } = JSON.parse(answers.pop() ?? '') as Record<string, string>;
    canaries.watch('access token', String(accessToken?.split('.')[2]));
    canaries.watch('refresh token given', String(refreshToken));
  });

  it('in what a person writes are refused, whatever it is', async () => {
    for (const [look, secret] of canaries.everyLook('body')) {
      const bodies: [string, object, string?][] = [
        ['/auth/me', { displayName: secret }, 'PATCH'],
        ['/calendar/events', { title: secret, start_at: START, end_at: END }],
        ['/calendar/events', { title: 'T', start_at: START, end_at: END, notes: `see ${secret}` }],
        ['/contacts', { name: 'Amy', notes: secret }],
        ['/memories', { text: `My key is ${secret}` }],
        ['/agent/runs', { message: `Use ${secret}` }],
        ['/agent/runs', { message: 'x', threadId: secret }],
        ['/agent/runs', { messages: [{ id: 'm', role: 'user', content: secret }] }],
        ['/agent/actions', { module: 'help', method: 'search', input: { query: secret } }],
        ['/credentials', { scope: ['*'], profile: secret }],
      ];
      for (const [path, body, method] of bodies) {
        const { status } = await post(path, body, {}, method);
        expect([look, path, status]).toEqual([look, path, expect.any(Number)]);
        expect([look, path, status >= 400]).toEqual([look, path, true]);
      }
      await post('/calendar/events', `{"title":"${secret}`);
      await post('/agent/runs', { message: 'x' }, { 'idempotency-key': secret });
    }
  });

  it('in calls of project_cli are refused, and recorded without them', async () => {
    const { credential } = await person.credential();
    const call = (body: unknown, headers = {}) =>
      post('/tools/project_cli', body, { authorization: `Bearer ${credential}`, ...headers });
    canaries.watch('controlled credential', String(credential.split('.')[2]));
    for (const key of ['token', 'api_key', 'Authorization', 'password', 'access-key', 'cookie']) {
      const secret = canaries.plain(`input.${key}`);
      await call({ module: 'help', method: 'search', input: { query: 'x', [key]: secret } });
      await call({
        module: 'help',
        method: 'search',
        input: { query: { deep: [{ [key]: secret }] } },
      });
      await call(`{"module":"help","method":"search","input":"{\\"${key}\\":\\"${secret}\\"}"}`);
    }
    for (const [look, secret] of canaries.everyLook('call')) {
      for (const body of [
        { module: 'help', method: 'search', input: { query: `see ${secret}` } },
        { module: 'help', method: 'search', input: { [secret]: 1 } },
        { module: secret, method: 'search' },
        { module: 'help', method: secret },
        { module: 'help', method: 'search', [secret]: 'x' },
        `{"module":"help","method":"${secret}`,
      ]) {
        const answer = await (await call(body)).text();
        expect([look, answer.includes('"ok":false')]).toEqual([look, true]);
      }
      await call({ module: 'help', method: 'methods' }, { 'x-project-cli-context': secret });
    }
  });

  it('in what a model writes reach neither events nor history', async () => {
    const inText = canaries.jwt('text of the model');
    const pieces = [...inText.matchAll(/.{1,7}/g)].map(([piece]) => piece);
    await run(textReply('The token is ', ...pieces, ', and more.'));
    await run(textReply('Send ', canaries.bearer('header in a text'), ' to them.'));
    await run(textReply('Key: ', canaries.providerKey('key in a text'), '.'));
    for (const [, secret] of canaries.everyLook('arguments of the model')) {
      await run(
        callReply(
          { module: 'help', method: 'search', input: { query: secret } },
          { module: 'memory', method: 'update', input: { text: 'x', token: secret } },
        ),
        textReply('Done.'),
      );
      const call = { name: secret, arguments: `{"module":"help","method":"${secret}"` };
      const delta = { tool_calls: [{ index: 0, id: secret, type: 'function', function: call }] };
      await run({ lines: [chunk(delta), chunk({}, 'tool_calls'), '[DONE]'] }, textReply('Done.'));
    }
    // Providers repeat the key that they refuse.
    const refused = {
      error: { message: `Incorrect API key: ${canaries.providerKey('provider')}` },
    };
    await run({ status: 401, lines: [refused] });
    await run({ status: 400, lines: [{ error: { message: canaries.jwt('provider') } }] });
  }, 60_000);

  it('in what a method returns or throws reach nobody', async () => {
    const made = await post('/calendar/events', { title: 'Old', start_at: START, end_at: END });
    const { id } = (await made.json()) as { id: string };
    const notes = `${canaries.jwt('tool output')} ${canaries.bearer('tool output')}`;
    await inDatabase('UPDATE calendar_events SET notes = $1 WHERE id = $2', [notes, id]);
    const read = { module: 'calendar', method: 'read', input: { mode: 'day', date: '2026-12-02' } };
    await run(callReply(read), textReply('Read.'));
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('[redacted]');
    await inDatabase('DELETE FROM calendar_events WHERE id = $1', [id]);

    const thrown = `${canaries.jwt('exception')} password=${canaries.plain('exception, password')}`;
    await inDatabase(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '${thrown}' USING DETAIL = '${thrown}'; END $$`);
    await inDatabase(
      'CREATE TRIGGER fail BEFORE INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION fail()',
    );
    expect((await post('/contacts', { name: 'Amy' })).status).toBe(500);
    await run(
      callReply({ module: 'contacts', method: 'create', input: { name: 'Amy' } }),
      textReply('Failed.'),
    );
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('INTERNAL');
    await inDatabase('DROP FUNCTION fail() CASCADE');
  });

  it('in names of files are taken out, or the file is refused', async () => {
    for (const [, secret] of canaries.everyLook('name of a file')) {
      const { status, body } = await upload(person, `${secret}.txt`, 'an ordinary text');
      answers.push(JSON.stringify(body));
      if (status !== 201) continue;
      const sent = await post('/agent/runs', { message: 'read it', attachments: [body.id] });
      model.replies.push(textReply('Read.'));
      const { threadId } = (await sent.json()) as { threadId: string };
      await ask(`/agent/runs/${threadId}/events?after=0`);
      await ask(`/agent/runs/${threadId}/history`);
    }
  });

  it('of the server do not reach the child, which has its own credential alone', async () => {
    if (process.platform !== 'linux') return;
    const hold = await TableHold.take(database.url, 'calendar_events');
    model.replies.push(
      callReply({
        module: 'calendar',
        method: 'create',
        input: { title: 'T', start_at: START, end_at: END },
      }),
      textReply('Created.'),
    );
    const running = person.say('create it');
    child = await seeProjectCli(server.child.pid ?? 0);
    await hold.release();
    answers.push(JSON.stringify(await running));
    expect(Object.keys(child.environment).sort()).toEqual(ALLOWED_ENVIRONMENT);
    const { PROJECT_CLI_CREDENTIAL: credential = '', ...rest } = child.environment;
    expect(canaries.findIn(JSON.stringify([credential, rest, child.commandLine]))).toEqual([]);
    expect(JSON.stringify([rest, child.commandLine])).not.toContain(credential);
    expect(JSON.stringify([rest, child.commandLine])).not.toContain(person.token);
    canaries.watch("the child's credential", credential);
  });

  it('stand nowhere in the end', async () => {
    canaries.watch('bearer token', String(person.token.split('.')[2]));
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('steward_tool_call_duration_seconds');
    // Spans and lines of the log leave in batches: what has stopped has let go of all of them.
    expect(await server.stop()).toBe(0);
    const seen: [string, string][] = [
      ...server.logs.map((line): [string, string] => ['log', line]),
      ...answers.map((answer): [string, string] => ['answer', answer]),
      ...model.requests.map(({ body }): [string, string] => ['model', JSON.stringify(body)]),
      ...(await everyRow(database.url)),
      ...(await everyFile(dataDir)),
      ['metrics', metrics],
      ...collector.bodies.map((body): [string, string] => ['spans', body]),
    ];
    expect(collector.spans.map(({ name }) => name)).toContain('call calendar.create');
    const kinds = new Set(seen.map(([place]) => place));
    for (const kind of [
      'log',
      'answer',
      'model',
      'public.agent_events',
      'public.tool_calls',
      'spans',
    ]) {
      expect(kinds).toContain(kind);
    }
    const leaks = seen.flatMap(([place, text]) =>
      canaries.findIn(text).map((what) => `${what} -> ${place}: ${text.slice(0, 300)}`),
    );
    expect(leaks).toEqual([]);
    const dumps = /^(core(\.\d+)?|report\..*\.json|.*\.heapsnapshot)$/;
    expect((await readdir(process.cwd())).filter((name) => dumps.test(name))).toEqual([]);
  });
});
