import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { ERROR_CODES, isErrorCode } from '../common/error-codes.js';
import { isJsonObject, type JsonValue } from '../common/json.js';
import { CliFailure, exitStatus, failureDocument } from './cli-failure.js';

const bundle = join(process.cwd(), 'dist/project-cli.js');

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${b64({ alg: 'EdDSA' })}.${b64({ sub: 'usr_1' })}.c2ln`;

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A tool door that answers what the test says, and keeps what it was asked. */
const door = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    reply(response);
  });
});
const seen: Seen[] = [];
let reply: (response: ServerResponse) => void;
let endpoint = '';

const answer = (value: JsonValue, status = 200, headers: Record<string, string> = {}) => {
  reply = (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
};

const success = (data: JsonValue, status = 'success') => ({
  ok: true,
  status,
  module: 'calendar',
  method: 'read',
  data,
});

const failure = (code: string) => ({
  ok: false,
  status: 'failure',
  module: 'calendar',
  method: 'read',
  error: { code, message: 'No.', module: 'calendar', method: 'read', retryable: false },
});

interface Options {
  env?: Record<string, string>;
  /** Text for stdin, which is then closed. */
  stdin?: string;
  /** stdin is a pipe that nobody closes. */
  openStdin?: boolean;
}

async function run(args: string[], { env, stdin, openStdin }: Options = {}) {
  const child = spawn(process.execPath, [bundle, ...args], {
    env: { PROJECT_CLI_CREDENTIAL: JWT, PROJECT_CLI_ENDPOINT: endpoint, ...env },
    stdio: [stdin === undefined && !openStdin ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin?.on('error', () => undefined);
  if (stdin !== undefined) child.stdin?.end(stdin);
  await once(child, 'close');
  child.stdin?.destroy();
  return { exit: child.exitCode, stdout, stderr };
}

/** stdout as the one document that it must be. */
function documentOf(stdout: string) {
  const value: unknown = JSON.parse(stdout);
  if (!isJsonObject(value)) throw new Error('no document');
  return value;
}

async function fails(args: string[], options?: Options) {
  const { exit, stdout, stderr } = await run(args, options);
  const { ok, status, error, ...rest } = documentOf(stdout);
  if (!isJsonObject(error)) throw new Error('no error');
  expect({ ok, status }).toEqual({ ok: false, status: 'failure' });
  expect(stdout).not.toContain('eyJ');
  expect(stderr).not.toContain('eyJ');
  return { exit, code: error.code, error, ...rest };
}

beforeAll(async () => {
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const address = door.address();
  if (typeof address === 'string' || !address) throw new Error('no address');
  endpoint = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  door.closeAllConnections();
  door.close();
});
beforeEach(() => {
  seen.length = 0;
  answer(success({ items: [], count: 0 }));
});

describe('project-cli', () => {
  it('posts the call of argv and stdin, and prints the document', async () => {
    const input = '{"date":"2026-04-21","note":"项目会 \\u0000"}';
    const { exit, stdout, stderr } = await run(['calendar', 'read', '--mode', 'day'], {
      stdin: input,
      env: { PROJECT_CLI_CONTEXT: '{"run_id":"run_1","locale":"zh-CN","x":"会\u007f"}' },
    });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toBe(`${JSON.stringify(success({ items: [], count: 0 }))}\n`);
    expect(seen).toHaveLength(1);
    const { method, url, headers, body } = seen[0] ?? {};
    expect({ method, url }).toEqual({ method: 'POST', url: '/api/v1/tools/project_cli' });
    expect(headers).toMatchObject({
      authorization: `Bearer ${JWT}`,
      'content-type': 'application/json',
      'x-project-cli-context': '{"run_id":"run_1","locale":"zh-CN","x":"\\u4f1a\\u007f"}',
    });
    expect(JSON.parse(body ?? '')).toEqual({
      module: 'calendar',
      method: 'read',
      input: { date: '2026-04-21', note: '项目会 \0', mode: 'day' },
    });
  });

  it.each([
    ['no stdin', [], undefined, {}],
    ['an empty stdin', [], ' \n', {}],
    ['--input', ['--input', '{"a":1}'], undefined, { a: 1 }],
    ['--input=…', ['--input={"a":"=b"}'], undefined, { a: '=b' }],
    ['--input and an empty stdin', ['--input', '{"a":1}'], '', { a: 1 }],
    ['JSON that is no object, for the router to judge', ['--input', '[1]'], undefined, [1]],
    ['a mode that is given twice alike', ['--mode=day'], '{"mode":"day"}', { mode: 'day' }],
  ])('takes the input from %s', async (_, flags, stdin, input) => {
    const result = await run(['calendar', 'read', ...flags], stdin === undefined ? {} : { stdin });
    expect(result.exit).toBe(0);
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ input });
  });

  it('does not wait for a pipe that nobody closes when there is --input', async () => {
    expect((await run(['calendar', 'read', '--input', '{}'], { openStdin: true })).exit).toBe(0);
  });

  it('keeps a member named __proto__ for the router to see', async () => {
    await run(['calendar', 'read', '--mode', 'day'], { stdin: '{"__proto__":{"a":1}}' });
    expect(seen[0]?.body).toContain('{"__proto__":{"a":1},"mode":"day"}');
  });

  it.each([
    [
      'json',
      `{"ok":true,"status":"success","module":"calendar","method":"read","data":{"count":1}}`,
    ],
    ['pretty', JSON.stringify(success({ count: 1 }), null, 2)],
    ['text', '{"status":"success","count":1}'],
  ])('prints one JSON document with --format %s', async (format, expected) => {
    answer(success({ count: 1 }));
    const { stdout } = await run(['calendar', 'read', '--format', format]);
    expect(stdout).toBe(`${expected}\n`);
  });

  it.each([
    ['INTERNAL', 1],
    ['INVALID_ACTION_INPUT', 2],
    ['METHOD_NOT_ALLOWED', 3],
    ['CREDENTIAL_REVOKED', 4],
    ['NOT_FOUND', 5],
    ['CONFLICT', 6],
    ['TIMEOUT', 8],
  ])('ends a %s with %i', async (code, exit) => {
    answer(failure(code));
    const result = await fails(['calendar', 'read']);
    expect({ exit: result.exit, code: result.code }).toEqual({ exit, code });
  });

  it.each(Object.entries(ERROR_CODES))('knows the exit status of %s', (code, { exit }) => {
    if (!isErrorCode(code)) throw new Error('unreachable');
    const document = failureDocument(new CliFailure(code, 'No.'), 'calendar', 'read');
    expect(exitStatus(document)).toBe(exit);
    expect(document).toMatchObject({ ok: false, error: { code, module: 'calendar' } });
  });

  it('ends a partial success with 7', async () => {
    answer(success({ failed: 1 }, 'partial'));
    const { exit, stdout } = await run(['calendar', 'create']);
    expect({ exit, status: documentOf(stdout).status }).toEqual({ exit: 7, status: 'partial' });
  });

  it.each<[string, string[], string, string | undefined]>([
    ['nothing', [], 'INVALID_TOOL_CALL', undefined],
    ['no method', ['calendar'], 'INVALID_TOOL_CALL', undefined],
    ['an empty module', ['', 'read'], 'INVALID_TOOL_CALL', undefined],
    ['an extra word', ['calendar', 'read', 'x'], 'INVALID_TOOL_CALL', undefined],
    ['an unknown flag', ['calendar', 'read', '--verbose'], 'INVALID_TOOL_CALL', undefined],
    ['a short flag', ['calendar', '-rf'], 'INVALID_TOOL_CALL', undefined],
    ['two dashes', ['--', 'calendar', 'read'], 'INVALID_TOOL_CALL', undefined],
    [
      'a flag twice',
      ['calendar', 'read', '--mode=a', '--mode', 'b'],
      'INVALID_TOOL_CALL',
      undefined,
    ],
    ['a flag without value', ['calendar', 'read', '--mode'], 'INVALID_TOOL_CALL', undefined],
    ['a flag as value', ['calendar', 'read', '--mode', '--format'], 'INVALID_TOOL_CALL', undefined],
    [
      'a format that is none',
      ['calendar', 'read', '--format', 'xml'],
      'INVALID_TOOL_CALL',
      undefined,
    ],
    [
      'a credential flag',
      ['calendar', 'read', '--credential', JWT],
      'CREDENTIAL_IN_INPUT',
      undefined,
    ],
    [
      'a token flag',
      ['calendar', 'read', `--access-token=${JWT}`],
      'CREDENTIAL_IN_INPUT',
      undefined,
    ],
    ['a flag that is a token', ['calendar', 'read', `--${JWT}`], 'INVALID_TOOL_CALL', undefined],
    ['a word that is a token', ['calendar', 'read', JWT], 'INVALID_TOOL_CALL', undefined],
    [
      '--input that is no JSON',
      ['calendar', 'read', '--input', '{'],
      'INVALID_TOOL_CALL',
      undefined,
    ],
    ['stdin that is no JSON', ['calendar', 'read'], 'INVALID_TOOL_CALL', '{"a":'],
    ['two inputs', ['calendar', 'read', '--input', '{}'], 'INVALID_TOOL_CALL', '{}'],
    ['two modes', ['calendar', 'read', '--mode', 'day'], 'INVALID_TOOL_CALL', '{"mode":"range"}'],
    ['a mode for a list', ['calendar', 'read', '--mode', 'day'], 'INVALID_TOOL_CALL', '[]'],
  ])('refuses %s with 2 before anything is sent', async (_, args, code, stdin) => {
    const result = await fails(args, stdin === undefined ? {} : { stdin });
    expect({ exit: result.exit, code: result.code }).toEqual({ exit: 2, code });
    expect(seen).toEqual([]);
  });

  it.each([
    ['a\nb', 'read'],
    ['__proto__', 'toString'],
    ['../..', '$(id)'],
    ['日历', 'read'],
  ])('hands odd names to the router: %j %j', async (module, method) => {
    answer(failure('MODULE_NOT_FOUND'));
    expect((await fails([module, method])).exit).toBe(3);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ module, method, input: {} });
  });

  it.each([
    ['no credential', { PROJECT_CLI_CREDENTIAL: '' }, 'CREDENTIAL_MISSING', 4],
    [
      'a credential with a newline',
      { PROJECT_CLI_CREDENTIAL: 'a\r\nx: y' },
      'CREDENTIAL_INVALID',
      4,
    ],
    ['no endpoint', { PROJECT_CLI_ENDPOINT: '' }, 'DEPENDENCY_UNAVAILABLE', 8],
    [
      'an endpoint that is a file',
      { PROJECT_CLI_ENDPOINT: 'file:///etc/passwd' },
      'DEPENDENCY_UNAVAILABLE',
      8,
    ],
    [
      'an endpoint with a password',
      { PROJECT_CLI_ENDPOINT: 'http://a:b@127.0.0.1' },
      'DEPENDENCY_UNAVAILABLE',
      8,
    ],
    [
      'an endpoint where nobody is',
      { PROJECT_CLI_ENDPOINT: 'http://127.0.0.1:1' },
      'DEPENDENCY_UNAVAILABLE',
      8,
    ],
    ['a context that is no object', { PROJECT_CLI_CONTEXT: '[1]' }, 'INVALID_TOOL_CALL', 2],
  ])('fails with %s', async (_, env, code, exit) => {
    const result = await fails(['calendar', 'read'], { env });
    expect({ code: result.code, exit: result.exit }).toEqual({ code, exit });
    expect(seen).toEqual([]);
  });

  it('keeps the path of the endpoint, and follows no redirect', async () => {
    answer({}, 307, { location: `${endpoint}/elsewhere` });
    const result = await fails(['calendar', 'read'], {
      env: { PROJECT_CLI_ENDPOINT: `${endpoint}/base//` },
    });
    expect({ code: result.code, exit: result.exit }).toEqual({
      code: 'DEPENDENCY_UNAVAILABLE',
      exit: 8,
    });
    expect(seen.map(({ url }) => url)).toEqual(['/base/api/v1/tools/project_cli']);
  });

  it.each<[number, JsonValue, string, number]>([
    [
      400,
      { code: 'INVALID_TOOL_CALL', detail: 'bad', issues: [{ path: 'a', message: 'm' }] },
      'INVALID_TOOL_CALL',
      2,
    ],
    [401, { code: 'CREDENTIAL_EXPIRED' }, 'CREDENTIAL_EXPIRED', 4],
    [401, {}, 'CREDENTIAL_INVALID', 4],
    [403, {}, 'FORBIDDEN', 3],
    [404, { code: 'NOT_FOUND', detail: 'no route' }, 'DEPENDENCY_UNAVAILABLE', 8],
    [413, { code: 'LIMIT_EXCEEDED' }, 'LIMIT_EXCEEDED', 1],
    [429, {}, 'RATE_LIMITED', 8],
    [500, { code: 'INTERNAL', detail: 'An internal error.' }, 'INTERNAL', 1],
    [502, '<html>', 'DEPENDENCY_UNAVAILABLE', 8],
    [503, {}, 'DEPENDENCY_UNAVAILABLE', 8],
    [504, {}, 'TIMEOUT', 8],
    [200, { hello: 'world' }, 'DEPENDENCY_UNAVAILABLE', 8],
    [200, { ok: true, status: 'failure', module: 'a', method: 'b' }, 'DEPENDENCY_UNAVAILABLE', 8],
    [
      200,
      { ok: false, status: 'failure', module: 'a', method: 'b', error: { code: 'toString' } },
      'DEPENDENCY_UNAVAILABLE',
      8,
    ],
  ])('makes a failure of HTTP %i %j', async (status, body, code, exit) => {
    answer(body, status, { 'retry-after': '2' });
    const result = await fails(['calendar', 'read']);
    expect({ code: result.code, exit: result.exit }).toEqual({ code, exit });
    expect(result).toMatchObject({ module: 'calendar', method: 'read' });
    if (status === 400)
      expect(result.error).toMatchObject({ message: 'bad', issues: [{ path: 'a', message: 'm' }] });
    if (status === 429)
      expect(result.error).toMatchObject({ retryable: true, retry_after_ms: 2000 });
  });

  it('times out, and ends at once', async () => {
    reply = () => undefined;
    const result = await fails(['calendar', 'read'], { env: { PROJECT_CLI_TIMEOUT_MS: '200' } });
    expect({ code: result.code, exit: result.exit }).toEqual({ code: 'TIMEOUT', exit: 8 });
  });

  it('fails when the answer breaks off', async () => {
    reply = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"ok":true,');
      setImmediate(() => response.destroy());
    };
    expect(await fails(['calendar', 'read'])).toMatchObject({
      code: 'DEPENDENCY_UNAVAILABLE',
      exit: 8,
    });
  });

  it('writes a large document whole', async () => {
    const text = '会'.repeat(2_000_000);
    answer(success({ text }));
    const { exit, stdout } = await run(['calendar', 'read']);
    expect(exit).toBe(0);
    expect(documentOf(stdout)).toEqual(success({ text }));
  });

  it.each([['help'], ['--help'], ['-h']])(
    'explains itself with %s, without a server',
    async (word) => {
      const { exit, stdout } = await run([word], {
        env: { PROJECT_CLI_CREDENTIAL: '' },
        openStdin: true,
      });
      expect(exit).toBe(0);
      expect(documentOf(stdout)).toMatchObject({ ok: true, module: 'help', method: 'usage' });
      expect(seen).toEqual([]);
    },
  );

  it('routes the methods of the help module', async () => {
    await run(['help', 'methods']);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      module: 'help',
      method: 'methods',
      input: {},
    });
  });
});
