import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toCliDocument } from '../../src/tool-router/cli-document.js';
import { ToolGateway } from '../../src/tool-router/tool-gateway.js';
import { ApiClient } from '../support/api-client.js';
import { createTestDatabase } from '../support/database.js';
import { HEAP_REPORT, heldMemory, type Held } from '../support/held-memory.js';
import { startProduct, type Product } from '../support/product.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';
import { checkLeaks, checkProblem, checkToolDocument, refuse } from './fuzz/answer-rules.js';
import { capabilityList, type Capability } from './fuzz/capability-list.js';
import { Finds } from './fuzz/finds.js';
import { httpRequests, type ApiDocument, type FuzzedRequest } from './fuzz/http-requests.js';
import { rawRequests } from './fuzz/raw-requests.js';
import { agent, send, sendOctets } from './fuzz/send.js';
import { FUZZ_TIMEOUT, fuzz } from './fuzz/settings.js';
import { toolCalls, type FuzzedCall } from './fuzz/tool-calls.js';

const ENV = { LOG_LEVEL: 'error', CLI_EXECUTOR: 'inline', CALENDAR_IMPORT_FROM: 'off' };
/** Calls that are under way together: every run of a property sends as many. */
const AT_ONCE = 8;
const BATCH = { minLength: AT_ONCE, maxLength: AT_ONCE };
/** Bytes that a third of the requests may leave behind; what each left would be much more. */
const MAX_GROWTH = 8 * 1024 * 1024;

/** HTTP_BODY_MAX_BYTES as it is by default. */
const BODY_MAX_BYTES = 1024 * 1024;

describe('hostile calls of project_cli', () => {
  let product: Product;
  let person: ApiClient;
  let capabilities: Capability[];
  const finds = new Finds();
  let credential = '';

  beforeAll(async () => {
    product = await startProduct(ENV);
    person = await product.client().register();
    capabilities = capabilityList(product.app);
    const policy = { profiles: { chat: { allow: ['*'] } } };
    const allowed = await person.call('PUT', '/admin/whitelist', policy, { 'if-match': '"1"' });
    if (allowed.status !== 200) throw new Error(JSON.stringify(allowed.body));
  }, 60_000);
  afterAll(() => product.close());

  /** A credential is over after minutes; a long run needs several. */
  const withCredential = async (): Promise<string> => {
    const check = await product.client().call('POST', '/tools/project_cli', '{}', bearer());
    if (check.status === 401) ({ credential } = await person.credential());
    return credential;
  };
  const bearer = () => ({ authorization: `Bearer ${credential}` });

  const throughGateway = async ({ call, toolCallId }: FuzzedCall): Promise<void> => {
    const record = await product.app.get(ToolGateway, { strict: false }).invoke(
      {
        credential,
        call: typeof call === 'string' ? finds.fill(call) : filled(call),
        ...(toolCallId === undefined ? {} : { toolCallId }),
        door: 'http',
      },
      new AbortController().signal,
    );
    const answer = JSON.stringify(toCliDocument(record));
    checkToolDocument(200, answer);
    finds.learn(answer);
  };
  const filled = (call: unknown): unknown => JSON.parse(finds.fill(JSON.stringify(call)));

  const throughHttp = async ({ call, toolCallId }: FuzzedCall): Promise<void> => {
    const text = finds.fill(typeof call === 'string' ? call : JSON.stringify(call));
    const plain = toolCallId !== undefined && /^[\x20-\x7e]*$/.test(toolCallId);
    const response = await product.client().raw('/tools/project_cli', {
      method: 'POST',
      headers: {
        ...bearer(),
        'content-type': 'application/json',
        ...(plain ? { 'x-project-cli-context': JSON.stringify({ tool_call_id: toolCallId }) } : {}),
      },
      body: text,
    });
    const answer = await response.text();
    const oddId = plain && !/^[\x21-\x7e]{1,200}$/.test(finds.fill(toolCallId));
    // A body beyond HTTP_BODY_MAX_BYTES is read by nobody, so that no call is refused but the request.
    const tooLarge = response.status === 413 && Buffer.byteLength(text) > BODY_MAX_BYTES;
    if (tooLarge) checkProblem(413, response.headers.get('content-type') ?? '', answer);
    else if (!oddId) checkToolDocument(response.status, answer);
    else if (response.status >= 500) refuse(`${response.status} for the context`, answer);
    finds.learn(answer);
  };

  it.each([
    ['the gateway', 150, throughGateway],
    ['the HTTP tool door', 60, throughHttp],
  ])(
    'end as a coded record through %s',
    async (_door, runs, send) => {
      const calls = fc.array(toolCalls(capabilities), BATCH);
      await fc.assert(
        fc.asyncProperty(calls, async (batch) => {
          await withCredential();
          await Promise.all(batch.map(send));
        }),
        fuzz(runs, 4),
      );
      expect(product.logs).toEqual([]);
    },
    FUZZ_TIMEOUT,
  );
});

/** Something of each kind, and pages that go on, so that requests find more than nothing. */
async function leaveTraces(person: ApiClient, finds: Finds): Promise<void> {
  const found = async (answer: Promise<{ body: unknown }>): Promise<void> => {
    finds.learn(JSON.stringify((await answer).body));
  };
  for (const n of [1, 2]) {
    const [start_at, end_at] = [`2026-12-0${n}T10:00:00Z`, `2026-12-0${n}T11:00:00Z`];
    const rule = n === 1 ? {} : { recurrence: 'FREQ=DAILY' };
    await found(person.post('/calendar/events', { title: `E${n}`, start_at, end_at, ...rule }));
    await found(person.post('/contacts', { name: `Amy ${n}`, emails: [`amy${n}@example.com`] }));
    await found(person.post('/memories', { text: `Likes tea ${n}` }));
    await found(person.post('/agent/runs', { message: 'hello' }));
  }
  for (const list of ['/calendar/events', '/contacts', '/memories', '/agent/threads']) {
    await found(person.get(`${list}?limit=1${list.endsWith('events') ? '&date=2026-12-02' : ''}`));
  }
}

describe('hostile requests', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataDir: string;
  let server: ServerProcess;
  let admin: ApiClient;
  let document: ApiDocument;
  const finds = new Finds();

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'steward-fuzz-'));
    server = await startServerProcess({
      ...ENV,
      ...HEAP_REPORT,
      LOG_LEVEL: 'info',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      RATE_LIMIT_PER_MINUTE: '100000',
      REFUSED_CREDENTIALS_PER_MINUTE: '100000',
      TOOL_RATE_LIMIT_PER_MINUTE: '100000',
      SIGN_IN_ATTEMPTS_PER_MINUTE: '1000',
    });
    admin = await new ApiClient(server.url).register();
    document = (await (await fetch(`${server.url}/openapi.json`)).json()) as ApiDocument;
    await leaveTraces(admin, finds);
  }, 60_000);
  afterAll(async () => {
    agent.destroy();
    await server.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** A request may have signed the person out, or deleted the account. */
  const stayIn = async (): Promise<void> => {
    if ((await admin.get('/auth/me')).status === 200) return;
    const { email } = admin;
    const again = await admin.post('/auth/token', { email, password: 'correct horse battery' });
    if (again.status === 200) admin.token = String(again.body.accessToken);
    else await admin.register();
  };
  const sendAndCheck = async (request: FuzzedRequest): Promise<void> => {
    const { status, type, body } = await send(server.url, request, admin.token, finds);
    if (request.path.includes('/tools/project_cli') && type.startsWith('application/json')) {
      checkToolDocument(status, body);
    } else if (request.method !== 'HEAD' && status >= 400) checkProblem(status, type, body);
    else if (status >= 500 || status < 200) refuse(`The server answers ${status}`, body);
    finds.learn(body);
  };
  const expectAlive = async (): Promise<void> => {
    const health = await fetch(`${server.url}/healthz`);
    expect([health.status, server.child.exitCode]).toEqual([200, null]);
    const odd = server.logs.filter((line) => /"level":[56]0|Warning|Unhandled/.test(line));
    expect(odd).toEqual([]);
  };

  it(
    'of every route end as coded problems, and hold no memory',
    async () => {
      const requests = fc.array(httpRequests(document), BATCH);
      const held: Held[] = [];
      let sent = 0;
      for (let third = 0; third < 3; third += 1) {
        await fc.assert(
          fc.asyncProperty(requests, async (batch) => {
            await stayIn();
            await Promise.all(batch.map(sendAndCheck));
            sent += batch.length;
          }),
          fuzz(60, 3),
        );
        agent.destroy();
        held.push(await heldMemory(server));
      }
      await expectAlive();
      expect(sent).toBeGreaterThan(50);
      // The first third fills what may be kept: caches, pools, compiled code.
      const [, second, last] = held;
      expect(last?.bytes).toBeLessThan((second?.bytes ?? 0) + MAX_GROWTH);
      expect(last?.resources).toBeLessThan((second?.resources ?? 0) + 20);
    },
    FUZZ_TIMEOUT,
  );

  it(
    'that are no HTTP end in an answer or a closed connection',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(rawRequests, BATCH), async (batch) => {
          const answers = await Promise.all(
            batch.map((octets) => sendOctets(server.url, Buffer.from(octets), true)),
          );
          for (const answer of answers) {
            const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
            if (answer !== '' && (status === 0 || status >= 500)) refuse('An odd answer', answer);
            checkLeaks(answer);
          }
        }),
        fuzz(30, 2),
      );
      await expectAlive();
    },
    FUZZ_TIMEOUT,
  );
});
