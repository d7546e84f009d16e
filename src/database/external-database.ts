import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { ConfigError } from '../config/app-config.js';

/** PostgreSQL 15: MERGE, `UNIQUE NULLS NOT DISTINCT`. */
const OLDEST_MAJOR = 15;
const CONNECT_MS = 10_000;
/** How long a server that says it is starting up is waited for. */
const STARTUP_MS = 30_000;
const CANNOT_CONNECT_NOW = '57P03';

/** Host and database of a connection URL; never its user or password. */
function place(url: string): string {
  if (!URL.canParse(url)) return 'the server';
  const { host, pathname } = new URL(url);
  return `${host || 'localhost'}${pathname}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The reason in the driver's words, without the password should it be in them. */
function reason(error: unknown, url: string): string {
  // Node reports a host with several addresses as one error without a message of its own.
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const text = inner instanceof Error ? inner.message || codeOf(inner) : String(inner);
  const password = URL.canParse(url) ? new URL(url).password : '';
  const secrets = [url, password, safeDecode(password)].filter((secret) => secret !== '');
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '(hidden)'), text);
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function check(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  // An error of a connection that is being given up has been reported by then.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; encoding: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`,
    );
    const { version, encoding } = rows[0] ?? { version: '0', encoding: '' };
    if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
      return `is PostgreSQL ${version}; ${OLDEST_MAJOR} or later is needed`;
    }
    return encoding === 'UTF8'
      ? undefined
      : `has the encoding ${encoding}; a database in UTF8 is needed`;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Checks that the database of DATABASE_URL can be used. One that is starting up is waited for.
 * @throws ConfigError that names the server and the problem, and hides the password.
 */
export async function checkExternalDatabase(
  url: string,
  log: (line: string) => void,
): Promise<void> {
  const deadline = Date.now() + STARTUP_MS;
  for (;;) {
    try {
      const problem = await check(url);
      if (problem) throw new ConfigError([`DATABASE_URL=(hidden): ${place(url)} ${problem}`]);
      return;
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      if (codeOf(error) !== CANNOT_CONNECT_NOW || Date.now() > deadline) {
        throw new ConfigError([
          `DATABASE_URL=(hidden): cannot connect to ${place(url)}: ${reason(error, url)}`,
        ]);
      }
      log(`Waiting for ${place(url)}: ${reason(error, url)}.`);
      await sleep(1_000);
    }
  }
}
