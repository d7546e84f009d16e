import { performance } from 'node:perf_hooks';
import { Client } from 'pg';

const LIMITS = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  TOOL_RATE_LIMIT_PER_MINUTE: '1000000',
  REFUSED_CREDENTIALS_PER_MINUTE: '1000000',
  SIGN_IN_ATTEMPTS_PER_MINUTE: '1000',
};

/** Another replica on the database of the bench, listening; `env` is what it has besides. */
export async function openReplica({ databaseUrl, dataDir }, env = {}) {
  const { readConfig } = await import('../dist/src/config/app-config.js');
  const { createLogger } = await import('../dist/src/logging/logger.js');
  const { createApp } = await import('../dist/src/server.js');
  const { ListeningAddress } =
    await import('../dist/src/tool-router/executors/listening-address.js');
  const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...LIMITS, ...env });
  const app = await createApp(config, databaseUrl, createLogger(config));
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  app.get(ListeningAddress, { strict: false }).set(url);
  return { app, url };
}

let databases = 0;

/** A database for a replica that is to be alone: others would execute its runs, too. */
export async function newDatabase({ databaseUrl, dataDir }) {
  const { runMigrations } = await import('../dist/src/database/data-source.js');
  databases += 1;
  const url = new URL(databaseUrl);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`CREATE DATABASE bench_${databases}`);
  await client.end();
  url.pathname = `/bench_${databases}`;
  await runMigrations(url.toString());
  return { databaseUrl: url.toString(), dataDir };
}

let people = 0;

/** Registers somebody. @returns the headers of their requests. */
export async function newcomer(url) {
  people += 1;
  const response = await fetch(`${url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `runner${people}@example.com`,
      password: 'a long bench password',
      timezone: 'Asia/Shanghai',
    }),
  });
  if (response.status !== 201) throw new Error(`register: ${response.status}`);
  const { accessToken } = await response.json();
  return { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
}

/**
 * Says something in a new thread and reads the run to its end.
 * @returns milliseconds to the first event and to the end.
 */
export async function say(url, headers, message) {
  const start = performance.now();
  const response = await fetch(`${url}/api/v1/agent/runs`, {
    method: 'POST',
    headers: { ...headers, accept: 'text/event-stream' },
    body: JSON.stringify({ message }),
  });
  if (response.status !== 200) throw new Error(`run: ${response.status} ${await response.text()}`);
  const decoder = new TextDecoder();
  let firstMs = null;
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (firstMs === null && text.includes('\ndata: ')) firstMs = performance.now() - start;
  }
  if (firstMs === null || !text.includes('"RUN_FINISHED"')) throw new Error(text.slice(-500));
  return { firstMs, wholeMs: performance.now() - start };
}
