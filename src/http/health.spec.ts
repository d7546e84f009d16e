import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { startTestApp, type TestApp } from '../../test/support/test-app.js';
import { AuthModule } from '../auth/auth.module.js';
import { generateKey } from '../auth/key-rotation.js';
import { Shutdown } from './shutdown.js';

interface Answer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A request over an agent that would keep its connection. */
function get(url: string, agent?: Agent, headers = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { ...(agent && { agent }), headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status, headers: got } = response;
        resolve({ status, headers: got, body: Buffer.concat(chunks).toString('utf8') });
      });
    })
      .on('error', reject)
      .end();
  });
}

async function inDatabase(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

describe('the probes', () => {
  let server: TestApp;
  const ready = () => get(`${server.url}/readyz`);
  const lines: string[] = [];

  beforeAll(async () => {
    server = await startTestApp({
      modules: [],
      env: { METRICS_TOKEN: 'a-token-of-the-scraper', LOG_LEVEL: 'info' },
      logTo: { write: (line) => void lines.push(line) },
    });
  });
  afterAll(() => server.close());

  it('keep a connection for longer than proxies do', async () => {
    const agent = new Agent({ keepAlive: true });
    const { headers } = await get(`${server.url}/healthz`, agent);
    agent.destroy();
    const seconds = Number(/timeout=(\d+)/.exec(String(headers['keep-alive']))?.[1]);
    expect(seconds).toBeGreaterThan(60);
  });

  it('are not ready on a schema that lacks a migration, and ready once it is there', async () => {
    const newest = `(SELECT max(timestamp) FROM migrations)`;
    await inDatabase(
      server.databaseUrl,
      `UPDATE migrations SET name = 'was ' || name WHERE timestamp = ${newest}`,
    );
    lines.length = 0;
    const outdated = await ready();
    await Promise.all([ready(), ready()]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/"level":40.*the database lacks 1 migration/);
    expect(outdated.status).toBe(503);
    expect(JSON.parse(outdated.body)).toMatchObject({
      code: 'DEPENDENCY_UNAVAILABLE',
      detail: 'The database lacks migrations of this version.',
    });
    expect((await get(`${server.url}/healthz`)).status).toBe(200);
    await inDatabase(
      server.databaseUrl,
      `UPDATE migrations SET name = substr(name, 5) WHERE timestamp = ${newest}`,
    );
    expect((await ready()).status).toBe(200);
    expect((await ready()).status).toBe(200);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/"level":30.*The database can be used again/);
  });

  it('are degraded while the connection for notifications is away, and served all the same', async () => {
    const name = new URL(server.databaseUrl).pathname.slice(1);
    const elsewhere = new URL(server.databaseUrl);
    elsewhere.pathname = '/postgres';
    const state = async () => {
      const { status, body } = await ready();
      return { status, body: JSON.parse(body) as Record<string, unknown> };
    };
    // The pool keeps the connections that it has.
    await inDatabase(elsewhere.href, `ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    try {
      await inDatabase(
        elsewhere.href,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'steward-notifications' AND datname = '${name}'`,
      );
      while ((await state()).body['notifications'] !== 'reconnecting') await delay(10);
      expect(await state()).toMatchObject({ status: 200, body: { status: 'degraded' } });
    } finally {
      await inDatabase(elsewhere.href, `ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
    }
    while ((await state()).body['notifications'] !== 'up') await delay(10);
    expect(await state()).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('name the database when it does not answer', async () => {
    const client = new Client({ connectionString: server.databaseUrl });
    await client.connect();
    await client.query('BEGIN; LOCK TABLE migrations IN ACCESS EXCLUSIVE MODE');
    const silent = await ready();
    await client.query('ROLLBACK');
    await client.end();
    expect(silent.status).toBe(503);
    expect(JSON.parse(silent.body)).toMatchObject({ detail: 'The database does not answer.' });
    expect((await ready()).status).toBe(200);
  });

  it('are not ready at a worker whose tool door does not answer', async () => {
    const env = { ROLE: 'worker', DATABASE_URL: server.databaseUrl };
    const worker = await startTestApp({
      modules: [],
      replicaOf: server,
      env: { ...env, PROJECT_CLI_ENDPOINT: 'http://127.0.0.1:1' },
    });
    const alone = await get(`${worker.url}/readyz`);
    await worker.close();
    expect(alone.status).toBe(503);
    expect(JSON.parse(alone.body)).toMatchObject({ detail: 'The tool door does not answer.' });
    const other = await startTestApp({
      modules: [],
      replicaOf: server,
      env: { ...env, PROJECT_CLI_ENDPOINT: server.url },
    });
    const beside = await get(`${other.url}/readyz`);
    await other.close();
    expect(beside.status).toBe(200);
  });

  it('are not ready at a worker whose tool door does not accept its signing key', async () => {
    const door = await startTestApp({ modules: [AuthModule] });
    const ready = async (env: Record<string, string>): Promise<Answer> => {
      const worker = await startTestApp({
        modules: [],
        replicaOf: door,
        env: {
          ROLE: 'worker',
          DATABASE_URL: door.databaseUrl,
          PROJECT_CLI_ENDPOINT: door.url,
          ...env,
        },
      });
      const answer = await get(`${worker.url}/readyz`);
      await worker.close();
      return answer;
    };
    const same = await ready({});
    const other = await ready({ AUTH_SIGNING_KEY: generateKey() });
    await door.close();
    expect(same.status).toBe(200);
    expect(other.status).toBe(503);
    expect(JSON.parse(other.body)).toMatchObject({
      detail: 'The tool door does not accept the signing key of this worker.',
    });
  });

  it('tell metrics to whom has the token alone', async () => {
    const metrics = (headers = {}) => get(`${server.url}/metrics`, undefined, headers);
    expect((await metrics()).status).toBe(401);
    expect((await metrics({ authorization: 'Bearer another' })).status).toBe(401);
    expect((await metrics({ authorization: 'Basic a-token-of-the-scraper' })).status).toBe(401);
    expect((await metrics({ authorization: 'Bearer' })).status).toBe(401);
    expect((await metrics({ authorization: 'bEARER  a-token-of-the-scraper' })).status).toBe(200);
    const told = await metrics({ authorization: 'Bearer a-token-of-the-scraper' });
    expect(told.status).toBe(200);
    expect(told.headers['content-type']).toContain('text/plain; version=0.0.4');
    expect(told.body).toMatch(/^steward_database_connections\{state="in_use"\} \d+$/m);
    expect(told.body).toMatch(/^process_cpu_seconds_total /m);
    expect(told.body).not.toContain('a-token-of-the-scraper');
  });

  it('are not ready once the process stops, and connections are let go', async () => {
    server.app.get(Shutdown, { strict: false }).begin();
    const stopping = await ready();
    expect(stopping.status).toBe(503);
    expect(JSON.parse(stopping.body)).toMatchObject({ detail: 'The server is shutting down.' });
    // A request that is answered when the server no longer listens: its client keeps the connection.
    const http = server.app.getHttpServer();
    const client = connect(Number(new URL(server.url).port), '127.0.0.1');
    const half = ['POST /healthz HTTP/1.1', `Host: ${new URL(server.url).host}`];
    client.write(
      [...half, 'Content-Type: application/json', 'Content-Length: 2', '', '{'].join('\r\n'),
    );
    await once(http, 'request');
    // And one that its client has opened in advance.
    const unused = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(http, 'connection');
    const closed = server.app.close();
    while (http.listening) await new Promise((later) => setTimeout(later, 5));
    client.write('}');
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(String(answer)).toContain('HTTP/1.1 404');
    // Bounded by the test's own time, which is far below the 65 s.
    await closed;
    client.destroy();
    unused.destroy();
  });
});
