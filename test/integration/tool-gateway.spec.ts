import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestRouter, type TestRouter } from '../support/tool-router.js';
import { CredentialService } from '../../src/credential/credential.service.js';
import { HelpModule } from '../../src/modules/help/help.module.js';
import { ToolRecordStore } from '../../src/tool-router/records/tool-record.store.js';

describe('ToolGateway', () => {
  let router: TestRouter;

  beforeAll(async () => {
    router = await startTestRouter([HelpModule]);
  });
  afterAll(() => router.close());

  const recorded = async (): Promise<number> => {
    const rows = await router.uow.manager.query<object[]>('SELECT 1 FROM tool_calls');
    return rows.length;
  };

  it.each([
    ['none', undefined, 'CREDENTIAL_MISSING'],
    ['an empty one', '', 'CREDENTIAL_MISSING'],
    ['garbage', 'garbage', 'CREDENTIAL_INVALID'],
  ])('refuses %s as credential, and records nothing for it', async (_what, credential, code) => {
    const before = await recorded();
    const record = await router.call('help', 'methods', {}, { credential });
    expect(record).toMatchObject({
      status: 'failure',
      tool_call_args: { module: 'help', method: 'methods' },
      error: { code, module: 'help', method: 'methods' },
    });
    expect(await recorded()).toBe(before);
  });

  it('refuses a revoked credential', async () => {
    const service = router.app.get(CredentialService, { strict: false });
    const { credential, jti } = await service.exchange(router.principal, { scope: ['*'] });
    expect((await router.call('help', 'methods', {}, { credential })).status).toBe('success');
    await service.revoke(jti);
    const record = await router.call('help', 'methods', {}, { credential });
    expect(record.error?.code).toBe('CREDENTIAL_REVOKED');
  });

  it('takes a credential for its own run alone', async () => {
    const credential = await router.credential({ runId: 'run_a' });
    const call = (runId: string | null | undefined, of = credential) =>
      router.call('help', 'methods', {}, { credential: of, runId, toolCallId: `c_${runId}` });
    expect((await call('run_a')).status).toBe('success');
    expect((await call(null)).status).toBe('success');
    expect((await call('run_b')).error?.code).toBe('CREDENTIAL_INVALID');
    const runless = await router.credential();
    expect((await call('run_a', runless)).error?.code).toBe('CREDENTIAL_INVALID');
    const store = router.app.get(ToolRecordStore);
    const { userId } = router.principal;
    const find = (runId: string, toolCallId: string) => store.find({ userId, runId, toolCallId });
    expect(await find('run_a', 'c_run_a')).not.toBeNull();
    expect(await find('run_a', 'c_null')).not.toBeNull();
    expect(await find('run_b', 'c_run_b')).toBeNull();
  });

  it('tells a scope that is too narrow from a whitelist that denies', async () => {
    const credential = await router.credential({ scope: ['help.methods'] });
    const narrow = await router.call('help', 'search', { query: 'x' }, { credential });
    expect(narrow.error).toMatchObject({ code: 'SCOPE_EXCEEDED', allowed: ['help.methods'] });
    const profile = await router.credential({ profile: 'automation' });
    const denied = await router.call('help', 'search', { query: 'x' }, { credential: profile });
    expect(denied.error).toMatchObject({ code: 'METHOD_NOT_ALLOWED', allowed: [] });
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'Help', '../help', '--help'])(
    'does not know the module or method %s',
    async (name) => {
      expect((await router.call(name, 'methods')).error?.code).toBe('MODULE_NOT_FOUND');
      expect((await router.call('help', name)).error?.code).toBe('METHOD_NOT_FOUND');
    },
  );

  it('suggests what was probably meant, but only what the caller may execute', async () => {
    expect((await router.call('halp', 'methods')).error?.did_you_mean).toBe('help');
    expect((await router.call('help', 'Serch')).error?.did_you_mean).toBe('help.search');
    const credential = await router.credential({ scope: ['help.methods'] });
    const hidden = await router.call('help', 'serch', {}, { credential });
    expect(hidden.error).not.toHaveProperty('did_you_mean');
    expect(hidden.error?.allowed).toEqual(['help.methods']);
  });

  it('finds a credential in decoded JSON text too', async () => {
    const record = await router.call('help', 'search', '{"query":"x","token":"abc"}');
    expect(record.error?.code).toBe('CREDENTIAL_IN_INPUT');
    expect(JSON.stringify(record)).not.toContain('abc');
  });

  it('refuses an id that cannot be stored', async () => {
    const record = await router.call('help', 'methods', {}, { toolCallId: 'a\0b' });
    expect(record.error?.code).toBe('INVALID_TOOL_CALL');
    expect(record.tool_call_id).toMatch(/^call_/);
  });

  it('names the modules of a caller to its model, and no more', async () => {
    const everything = router.gateway.projectCliTool().description;
    expect(everything).toContain('- help:');
    const nobody = { userId: 'usr_1', profile: 'none', roles: [], scope: ['*'] };
    expect(router.gateway.projectCliTool(nobody).description).not.toContain('- help:');
  });

  it('keeps no credential in any record', async () => {
    const credential = await router.credential({ runId: 'run_secret' });
    await router.call('help', 'methods', {}, { credential, toolCallId: 'c' });
    await router.call('help', 'search', { query: `Bearer ${credential}` }, { credential });
    const rows = await router.uow.manager.query<{ text: string }[]>(
      'SELECT tool_calls::text AS text FROM tool_calls',
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ text }) => text.includes(credential))).toEqual([]);
  });
});

describe('POST /tools/project_cli', () => {
  let router: TestRouter;
  let credential: string;

  beforeAll(async () => {
    router = await startTestRouter([HelpModule]);
    credential = await router.credential({ runId: 'run_http' });
  });
  afterAll(() => router.close());

  const post = async (body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${router.url}/api/v1/tools/project_cli`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${credential}`,
        ...headers,
      },
      body,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('answers one document with 200, whatever became of the call', async () => {
    const good = await post('{"module":"help","method":"skills"}');
    expect(good).toMatchObject({
      status: 200,
      body: { ok: true, status: 'success', module: 'help', method: 'skills' },
    });
    expect(Object.keys(good.body)).toEqual(['ok', 'status', 'module', 'method', 'data']);
    expect(await post('{"module":"help","method":"nothing"}')).toMatchObject({
      status: 200,
      body: { ok: false, status: 'failure', error: { code: 'METHOD_NOT_FOUND' } },
    });
    for (const text of ['{', '[]', 'null', '5', '""', '']) {
      expect(await post(text)).toMatchObject({
        status: 200,
        body: { ok: false, error: { code: 'INVALID_TOOL_CALL' } },
      });
    }
  });

  it.each(['', 'Bearer', 'Bearer nonsense', 'Basic dXNlcjpwYXNz'])(
    'answers 401 with a document to the authorization "%s"',
    async (authorization) => {
      const answer = await post('{"module":"help","method":"skills"}', { authorization });
      expect(answer).toMatchObject({ status: 401, body: { ok: false, status: 'failure' } });
    },
  );

  it('takes ids, locale and zone from the context header', async () => {
    const context = { run_id: 'run_http', tool_call_id: 'c1', locale: 'zh-CN', timezone: 'UTC' };
    const header = { 'x-project-cli-context': JSON.stringify(context) };
    expect((await post('{"module":"help","method":"skills"}', header)).status).toBe(200);
    const record = await router.app.get(ToolRecordStore).find({
      userId: router.principal.userId,
      runId: 'run_http',
      toolCallId: 'c1',
    });
    expect(record).toMatchObject({ tool_call_id: 'c1', summary: '已列出技能' });
  });

  it('refuses the context of another run, and one that is malformed', async () => {
    const foreign = { 'x-project-cli-context': '{"run_id":"run_other"}' };
    expect(await post('{"module":"help","method":"skills"}', foreign)).toMatchObject({
      status: 401,
      body: { error: { code: 'CREDENTIAL_INVALID' } },
    });
    for (const header of ['{', '[]', '{"x":"y"}', '{"timezone":"Mars/Base"}', '{"run_id":5}']) {
      expect(
        await post('{"module":"help","method":"skills"}', { 'x-project-cli-context': header }),
      ).toMatchObject({ status: 400, body: { code: 'INVALID_TOOL_CALL' } });
    }
    const misspelt = { 'x-project-cli-context': '{"timezon":"UTC"}' };
    const { body } = await post('{"module":"help","method":"skills"}', misspelt);
    expect(body.detail).toContain('did you mean "timezone"?');
  });
});
