import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { USAGE } from '../../src/cli/usage.js';
import { setStage, type Stage } from '../doors/stage.js';
import { startProduct, type Product } from '../support/product.js';

const { data } = USAGE.ok ? USAGE : { data: {} };
const USAGE_EXAMPLES = (data as { discover: string[] }).discover;
const PROJECT_CLI = resolve(import.meta.dirname, '../../dist/project-cli.js');

interface Outcome {
  status: number | null;
  document: Record<string, unknown>;
  stderr: string;
}

/** `node dist/project-cli.js …` from another shell: only what is said stands in its environment. */
function run(args: string[], stdin: string, env: Record<string, string>): Promise<Outcome> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [PROJECT_CLI, ...args], {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', failed);
    child.on('close', (status) => {
      try {
        done({ status, document: JSON.parse(stdout) as Record<string, unknown>, stderr });
      } catch {
        failed(new Error(`no single JSON document: ${stdout} ${stderr}`));
      }
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

/** PROTOCOL §4: the executable against a real server, every exit status. */
describe('project-cli', () => {
  let product: Product;
  let stage: Stage;
  const env = (credential: string | undefined): Record<string, string> => ({
    PROJECT_CLI_ENDPOINT: product.url,
    ...(credential ? { PROJECT_CLI_CREDENTIAL: credential } : {}),
  });
  const call = (args: string[], input: unknown, credential = stage.credentials.full) =>
    run(args, input === undefined ? '' : JSON.stringify(input), env(credential));

  beforeAll(async () => {
    product = await startProduct();
    stage = await setStage(product);
  }, 60_000);
  afterAll(() => product.close());

  it('runs every example that its help prints', async () => {
    for (const line of USAGE_EXAMPLES) {
      const [, ...words] = line.match(/'[^']*'|\S+/g) ?? [];
      const outcome = await call(
        words.map((word) => word.replace(/^'|'$/g, '')),
        undefined,
      );
      expect([line, outcome.status]).toEqual([line, 0]);
    }
  });

  it('0: success, input from stdin, mode from a flag', async () => {
    const byStdin = await call(['calendar', 'read'], { mode: 'day', date: '2026-12-02' });
    expect(byStdin).toMatchObject({ status: 0, document: { ok: true, status: 'success' } });
    const byFlags = await call(
      ['calendar', 'read', '--mode', 'day', '--input', '{"date":"2026-12-02"}'],
      undefined,
    );
    expect(byFlags.document).toEqual(byStdin.document);
  });

  it('2: invalid input', async () => {
    const outcome = await call(['calendar', 'read'], { mode: 'week' });
    expect(outcome).toMatchObject({
      status: 2,
      document: { ok: false, error: { code: 'INVALID_ACTION_INPUT' } },
    });
    expect((await run(['calendar', 'read'], '{"mode"', env(stage.credentials.full))).status).toBe(
      2,
    );
  });

  it('3: not allowed, unknown module, unknown method', async () => {
    expect((await call(['weather', 'read'], {})).status).toBe(3);
    expect((await call(['calendar', 'destroy'], {})).status).toBe(3);
    const narrow = stage.credentials['narrow-scope'];
    const own = { event_id: JSON.parse(stage.text('"{{own}}"')) as string };
    expect((await call(['calendar', 'delete'], own, narrow)).status).toBe(3);
  });

  it.each(['expired', 'revoked', 'garbage', 'bearer'] as const)(
    '4: %s credential',
    async (kind) => {
      expect((await call(['help', 'methods'], {}, stage.credentials[kind])).status).toBe(4);
    },
  );

  it('4: no credential', async () => {
    const outcome = await run(['help', 'methods'], '', { PROJECT_CLI_ENDPOINT: product.url });
    expect(outcome).toMatchObject({
      status: 4,
      document: { error: { code: 'CREDENTIAL_MISSING' } },
    });
  });

  it('5: not found', async () => {
    expect((await call(['calendar', 'delete'], { event_id: 'evt_none' })).status).toBe(5);
  });

  it('6: conflict', async () => {
    const own = JSON.parse(stage.text('"{{own}}"')) as string;
    const late = { event_id: own, title: 'late', expected_version: 1 };
    expect((await call(['calendar', 'update'], late)).status).toBe(6);
  });

  it('7: partial', async () => {
    const start = '2026-12-05T10:00:00+08:00';
    const end = '2026-12-05T11:00:00+08:00';
    const outcome = await call(['calendar', 'create'], {
      events: [
        { title: 'good', start_at: start, end_at: end },
        { title: 'bad', start_at: end, end_at: start },
      ],
    });
    expect(outcome).toMatchObject({ status: 7, document: { ok: true, status: 'partial' } });
  });

  it('8: nobody there', async () => {
    const closed = createServer();
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    const outcome = await run(['help', 'methods'], '', {
      PROJECT_CLI_ENDPOINT: `http://127.0.0.1:${port}`,
      PROJECT_CLI_CREDENTIAL: stage.credentials.full ?? '',
    });
    expect(outcome).toMatchObject({
      status: 8,
      document: { error: { code: 'DEPENDENCY_UNAVAILABLE', retryable: true } },
    });
  });

  it('1: a result that is larger than may be returned', async () => {
    const narrow = await startProduct({ TOOL_OUTPUT_MAX_BYTES: '1024' });
    try {
      const { credential } = await (await narrow.client().register()).credential();
      const outcome = await run(['help', 'methods'], '', {
        PROJECT_CLI_ENDPOINT: narrow.url,
        PROJECT_CLI_CREDENTIAL: credential,
      });
      expect(outcome).toMatchObject({
        status: 1,
        document: { ok: false, error: { code: 'OUTPUT_TOO_LARGE', retryable: false } },
      });
    } finally {
      await narrow.close();
    }
  }, 60_000);

  it('8: an answer that is none of ours', async () => {
    const odd = createServer((_request, response) => response.end('<html>hello</html>'));
    await new Promise<void>((done) => odd.listen(0, '127.0.0.1', done));
    const { port } = odd.address() as AddressInfo;
    const outcome = await run(['help', 'methods'], '', {
      PROJECT_CLI_ENDPOINT: `http://127.0.0.1:${port}`,
      PROJECT_CLI_CREDENTIAL: stage.credentials.full ?? '',
    });
    await new Promise((done) => odd.close(done));
    expect(outcome.status).toBe(8);
    expect(outcome.document.ok).toBe(false);
  });

  it('takes no credential from arguments or input, and repeats none', async () => {
    const secret = stage.credentials.full ?? '';
    const byFlag = await run(['help', 'methods', '--credential', secret], '', env(undefined));
    expect(byFlag.status).toBe(2);
    expect(JSON.stringify(byFlag)).not.toContain(secret);
    const byInput = await call(['help', 'methods'], { token: secret });
    expect(byInput).toMatchObject({
      status: 2,
      document: { error: { code: 'CREDENTIAL_IN_INPUT' } },
    });
    expect(JSON.stringify(byInput)).not.toContain(secret);
  });
});
