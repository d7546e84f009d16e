import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { NO_SETTING } from '../../src/capabilities/capability-setting.js';
import { CredentialService } from '../../src/credential/credential.service.js';
import { InlineExecutor } from '../../src/tool-router/executors/inline-executor.js';
import { ToolGateway } from '../../src/tool-router/tool-gateway.js';
import { decideCall, type CallDecision } from '../../src/tool-router/call-decision.js';
import { compileWhitelist } from '../../src/whitelist/decision.js';
import type { WhitelistDocument } from '../../src/whitelist/policy.js';
import type { Answer, ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

/**
 * Every door gives the decision of the pure function (PROTOCOL §14). The line that defends: the
 * guard of `@CliMethod`, which asks CapabilityAccess, as listing and explain do.
 */
describe('decisions through the doors', () => {
  const METHODS = ['help.skills', 'contacts.read', 'memory.read'] as const;
  let product: Product;
  let admin: ApiClient;
  let person: ApiClient;
  let calls = 0;

  beforeAll(async () => {
    product = await startProduct({ CLI_EXECUTOR: 'inline' });
    admin = await product.client().register();
    person = await product.client().register();
  });
  afterAll(() => product.close());

  /** What every method of these tests takes. */
  const inputOf = (method: string): object => (method === 'read' ? { mode: 'list' } : {});
  const press = (module: string, method: string): Promise<Answer> =>
    person.post('/agent/actions', { module, method, input: inputOf(method) });

  async function putPolicy(document: WhitelistDocument): Promise<void> {
    const { headers } = await admin.get('/admin/whitelist');
    const etag = headers.get('etag') ?? '';
    const answer = await admin.call('PUT', '/admin/whitelist', document, { 'if-match': etag });
    expect(answer.status).toBe(200);
  }

  async function patch(id: string, change: object): Promise<number> {
    const { headers } = await admin.get(`/admin/capabilities/${id}`);
    const etag = headers.get('etag') ?? '';
    const path = `/admin/capabilities/${id}`;
    return (await admin.call('PATCH', path, change, { 'if-match': etag })).status;
  }

  /** What came of a call: `allow`, or the code of its error. */
  const outcome = (record: { status: string; error?: { code: string } | null }): string =>
    record.status === 'success' ? 'allow' : (record.error?.code ?? '');

  async function overHttp(credential: string, module: string, method: string): Promise<string> {
    const response = await fetch(`${product.url}/api/v1/tools/project_cli`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ module, method, input: inputOf(method) }),
    });
    return outcome((await response.json()) as { status: string; error?: { code: string } });
  }

  const expected = ({ effect, code }: CallDecision): string =>
    effect === 'ask' ? 'APPROVAL_REQUIRED' : (code ?? 'allow');

  it('are those of the pure function, for every policy, scope, setting and method', async () => {
    const patterns = fc.array(
      fc.constantFrom('*', 'help.*', 'contacts.*', '*.read', 'memory.read', 'help.skills'),
      { maxLength: 3 },
    );
    const lists = fc.record({ allow: patterns, deny: patterns, ask: patterns });
    const narrowing = fc.record({ deny: patterns, ask: patterns });
    const worlds = fc.record({
      chat: lists,
      role: fc.option(narrowing),
      user: fc.option(narrowing),
      scope: fc.constantFrom<string[]>(
        ['*'],
        ['help.*'],
        ['*.read'],
        ['memory.read', 'contacts.read'],
      ),
      enabled: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ chat, role, user, scope, enabled }) => {
        const document: WhitelistDocument = {
          profiles: { chat },
          roles: role ? { user: role } : {},
          users: user ? { [person.userId]: user } : {},
        };
        await putPolicy(document);
        expect(await patch('memory.read', { enabled: enabled ? null : false })).toBe(200);
        const decide = compileWhitelist(document);
        const subject = { profile: 'chat', roles: ['user'], userId: person.userId };
        const { credential } = await person.credential(scope);
        for (const id of METHODS) {
          const [module = '', method = ''] = id.split('.');
          const decision = (of: string[]): CallDecision =>
            decideCall({
              id,
              capability: { enabled: true, requiresApproval: false },
              moduleExists: true,
              setting:
                id === 'memory.read' && !enabled ? { ...NO_SETTING, enabled: false } : NO_SETTING,
              whitelist: decide(subject, id),
              scope: of,
            });
          expect(await overHttp(credential, module, method)).toBe(expected(decision(scope)));

          const gateway = product.app.get(ToolGateway, { strict: false });
          const request = {
            credential,
            call: { module, method, input: inputOf(method) },
            door: 'mcp' as const,
          };
          const record = await gateway.invoke(request, new AbortController().signal);
          expect(outcome(record)).toBe(expected(decision(scope)));

          const run = await product.app.get(CredentialService, { strict: false }).exchange(
            {
              userId: person.userId,
              email: person.email,
              displayName: 'Person',
              roles: ['user'],
              timezone: 'UTC',
              locale: 'en',
              sessionId: null,
              token: { issuer: 'test', jti: 'test', expiresAt: new Date(Date.now() + 600_000) },
            },
            { scope, runId: 'run_of_decision' },
          );
          const inline = await product.app.get(InlineExecutor, { strict: false }).execute(
            {
              toolCallId: `call_${(calls += 1)}`,
              name: 'project_cli',
              arguments: JSON.stringify({ module, method, input: inputOf(method) }),
              credential: run.credential,
              userId: person.userId,
              runId: 'run_of_decision',
              threadId: 'thread_of_decision',
              locale: 'en',
              timezone: 'UTC',
            },
            new AbortController().signal,
          );
          expect(outcome(inline)).toBe(expected(decision(scope)));

          // The press of a button is the approval; nothing else is different.
          const pressed = await press(module, method);
          const whole = decision(['*']);
          expect(outcome(pressed.body as { status: string })).toBe(
            whole.effect === 'ask' ? 'allow' : expected(whole),
          );

          const explained = await admin.post('/admin/whitelist/explain', {
            userId: person.userId,
            scope,
            module,
            method,
          });
          const { effect, code, rule, steps } = decision(scope);
          expect(explained.body.capabilities).toEqual([
            { capability: id, effect, code, rule, steps },
          ]);
          const tool = gateway.projectCliTool({ ...subject, scope }).description;
          if (effect !== 'deny') expect(tool).toContain(`- ${module}:`);
        }
      }),
      { numRuns: 12, interruptAfterTimeLimit: 12_000 },
    );
    expect(await patch('memory.read', { enabled: null })).toBe(200);
  });

  it('count calls over all doors, and only those that ran', async () => {
    await putPolicy({
      profiles: { chat: { allow: ['*'], deny: [], ask: [] } },
      roles: {},
      users: {},
    });
    const limits = { callsPerUserPerDay: 2 };
    expect(await patch('contacts.read', { limits })).toBe(200);
    const { credential } = await person.credential();
    const invalid = await person.post('/agent/actions', {
      module: 'contacts',
      method: 'read',
      input: { nothing: 'such' },
    });
    expect(outcome(invalid.body as { status: string })).toBe('INVALID_ACTION_INPUT');
    expect(await overHttp(credential, 'contacts', 'read')).toBe('allow');
    const pressed = await press('contacts', 'read');
    expect(outcome(pressed.body as { status: string })).toBe('allow');
    const third = await press('contacts', 'read');
    expect(third.body.error).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      retry_after_ms: expect.any(Number),
    });
    const other = await admin.credential();
    expect(await overHttp(other.credential, 'contacts', 'read')).toBe('allow');
    expect(await patch('contacts.read', { limits: null })).toBe(200);
    expect(await overHttp(credential, 'contacts', 'read')).toBe('allow');
    expect((await admin.get('/admin/capabilities/contacts.reed')).status).toBe(404);
  });

  it('do not depend on skills: shown or hidden, allowed stays allowed and denied denied', async () => {
    const putSkills = async (enabled: string[] | null): Promise<void> => {
      const { headers } = await admin.get('/admin/skills');
      const etag = headers.get('etag') ?? '';
      const answer = await admin.call('PUT', '/admin/skills', { enabled }, { 'if-match': etag });
      expect(answer.status).toBe(200);
    };
    const { credential } = await person.credential();
    for (const allow of [['*'], ['help.*']]) {
      await putPolicy({ profiles: { chat: { allow, deny: [], ask: [] } }, roles: {}, users: {} });
      const reads = allow.includes('*') ? 'allow' : 'METHOD_NOT_ALLOWED';
      for (const enabled of [null, ['contacts']]) {
        await putSkills(enabled);
        expect(await overHttp(credential, 'memory', 'read')).toBe(reads);
        const pressed = await press('memory', 'read');
        expect(outcome(pressed.body as { status: string })).toBe(reads);
        const ask = async (name: string): Promise<unknown> => {
          const body = { module: 'help', method: 'skill', input: { name } };
          return (await person.post('/agent/actions', body)).body;
        };
        const shown = outcome((await ask('memory')) as { status: string });
        expect(shown).toBe(enabled ? 'NOT_FOUND' : 'allow');
        const run = { message: 'hi', enabledSkills: ['memory'] };
        if (enabled) expect((await person.post('/agent/runs', run)).status).toBe(400);
      }
      await putSkills(null);
    }
  });

  it('come back with the policy of an earlier version, and name rules for nothing', async () => {
    const { body, headers } = await admin.get('/admin/whitelist');
    const etag = headers.get('etag') ?? '';
    const typo = {
      profiles: { chat: { allow: ['calender.*'] } },
      roles: { adminn: { deny: ['*'] } },
      users: { nobody: { deny: [] } },
    };
    const refused = await admin.call('PUT', '/admin/whitelist', typo, { 'if-match': etag });
    expect(refused).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'profiles.chat.allow.0', expected: 'calendar.*' }] },
    });
    const path = '/admin/whitelist?allowUnknown=true';
    const put = await admin.call('PUT', path, typo, { 'if-match': etag });
    expect(put.body.warnings).toMatchObject([
      { path: 'profiles.chat.allow.0' },
      { path: 'roles.adminn' },
      { path: 'users.nobody' },
    ]);
    const restore = `/admin/whitelist/versions/${String(body.version)}/restore`;
    expect((await admin.post(restore, {}, { 'if-match': etag })).status).toBe(409);
    const restored = await admin.post(restore, {}, { 'if-match': put.headers.get('etag') ?? '' });
    expect(restored).toMatchObject({ status: 200, body: { profiles: body.profiles } });
    const versions = await admin.get('/admin/whitelist/versions?limit=1');
    expect(versions.body).toMatchObject({
      versions: [
        { restoredFrom: body.version, createdBy: admin.userId, changes: { added: 1, removed: 2 } },
      ],
      nextCursor: expect.any(String),
    });
  });
});
