import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { getEventListeners } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { permissionFlags } from './permission-flags.js';
import { runChild, type ChildRun } from './run-child.js';

/** Tries everything that a project-cli child must not be able to do. */
const PROBE = `
  import { spawnSync } from 'node:child_process';
  import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
  import { Worker } from 'node:worker_threads';
  const attempt = (work) => { try { return work() ?? 'done'; } catch (error) { return error.code; } };
  const path = process.argv[2];
  console.log(JSON.stringify({
    env: process.env,
    argv: process.execArgv.length > 0,
    spawn: attempt(() => spawnSync('id').error?.code),
    write: attempt(() => writeFileSync(path + '/written', 'x')),
    mkdir: attempt(() => mkdirSync(path + '/made')),
    read: attempt(() => readFileSync(path + '/secret', 'utf8')),
    passwd: attempt(() => readFileSync('/etc/passwd', 'utf8')),
    worker: attempt(() => new Worker('1', { eval: true })),
  }));
`;

const SCRIPTS = {
  probe: PROBE,
  echo: `process.stdin.on('data', (chunk) => process.stdout.write(chunk)); process.stdin.on('end', () => { process.exitCode = 3; });`,
  hang: `console.error('waiting'); setInterval(() => undefined, 1000);`,
  flood: `const text = 'x'.repeat(65536); const more = () => process.stdout.write(text, more); more();`,
  noise: `process.stderr.write('e'.repeat(100000)); process.stdout.write('ok');`,
  deaf: `process.exit(0);`,
};

let dir: string;

beforeAll(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'steward-child-')));
  await writeFile(join(dir, 'secret'), 'secret');
  for (const [name, text] of Object.entries(SCRIPTS)) {
    await writeFile(join(dir, `${name}.mjs`), text);
  }
});
afterAll(() => rm(dir, { recursive: true }));

const child = (script: keyof typeof SCRIPTS, more: Partial<ChildRun> = {}): ChildRun => ({
  script: join(dir, `${script}.mjs`),
  args: [],
  env: {},
  stdin: '',
  timeoutMs: 20_000,
  maxOutputBytes: 1024 * 1024,
  ...more,
});

const never = () => new AbortController().signal;

describe('runChild', () => {
  it('gives a child its environment and nothing of ours', async () => {
    process.env.STEWARD_TEST_SECRET = 'inherited';
    const env = { PROJECT_CLI_CREDENTIAL: 'x' };
    const result = await runChild(child('probe', { env, args: [dir] }), never());
    delete process.env.STEWARD_TEST_SECRET;
    expect(result.exitCode).toBe(0);
    expect(JSON.parse(result.stdout)).toEqual({
      env,
      argv: true,
      spawn: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      mkdir: 'ERR_ACCESS_DENIED',
      read: 'ERR_ACCESS_DENIED',
      passwd: 'ERR_ACCESS_DENIED',
      worker: 'ERR_ACCESS_DENIED',
    });
  });

  it('hands over stdin and gives back stdout and the exit status', async () => {
    const stdin = '会'.repeat(100_000);
    const result = await runChild(child('echo', { stdin }), never());
    expect(result).toEqual({ end: 'exit', exitCode: 3, stdout: stdin, stderr: '' });
  });

  it('kills a child whose time is over', async () => {
    const result = await runChild(child('hang', { timeoutMs: 500 }), never());
    expect(result).toMatchObject({ end: 'timeout', exitCode: null });
  });

  it('kills a child when the caller leaves, and keeps no listener', async () => {
    const controller = new AbortController();
    const running = runChild(child('hang'), controller.signal);
    setTimeout(() => controller.abort(), 300);
    expect(await running).toMatchObject({ end: 'abort', exitCode: null });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    const finished = new AbortController();
    await runChild(child('noise'), finished.signal);
    expect(getEventListeners(finished.signal, 'abort')).toHaveLength(0);
  });

  it('kills at once when the caller has left already', async () => {
    expect(await runChild(child('hang'), AbortSignal.abort())).toMatchObject({ end: 'abort' });
  });

  it('kills a child that writes too much, and keeps no more than allowed', async () => {
    const result = await runChild(child('flood', { maxOutputBytes: 100_000 }), never());
    expect(result).toMatchObject({ end: 'output', exitCode: null });
    expect(result.stdout).toHaveLength(100_000);
  });

  it('keeps the beginning of stderr', async () => {
    const result = await runChild(child('noise'), never());
    expect(result).toMatchObject({ end: 'exit', stdout: 'ok' });
    expect(result.stderr).toBe('e'.repeat(4096));
  });

  it('does not mind a child that leaves its input', async () => {
    const result = await runChild(child('deaf', { stdin: 'x'.repeat(1_000_000) }), never());
    expect(result).toMatchObject({ end: 'exit', exitCode: 0 });
  });

  it('says when a child cannot be started', async () => {
    const env = { TOO_LONG: 'x'.repeat(4_000_000) };
    expect(await runChild(child('noise', { env }), never())).toMatchObject({ end: 'spawn' });
  });
});

describe('permissionFlags', () => {
  it.each([
    ['20.19.0', '--experimental-permission', false],
    ['22.12.0', '--experimental-permission', false],
    ['22.13.0', '--permission', false],
    ['23.4.0', '--experimental-permission', false],
    ['23.5.0', '--permission', false],
    ['24.0.0', '--permission', false],
    ['25.1.0', '--permission', true],
  ])('of %s has %s', (version, name, net) => {
    const flags = permissionFlags(version, '/x.js');
    expect(flags[0]).toBe(name);
    expect(flags).toContain('--allow-fs-read=/x.js');
    expect(flags.includes('--allow-net')).toBe(net);
  });
});
