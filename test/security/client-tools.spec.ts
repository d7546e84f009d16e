import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { DataSource } from 'typeorm';
import { CredentialService } from '../../src/credential/credential.service.js';
import { ToolTelemetry } from '../../src/observability/tool-telemetry.js';
import { ToolGateway } from '../../src/tool-router/tool-gateway.js';
import { compileWhitelist } from '../../src/whitelist/decision.js';
import { DEFAULT_WHITELIST } from '../../src/whitelist/default-policy.js';
import type { WhitelistDocument } from '../../src/whitelist/policy.js';
import { AdminClient } from '../support/admin-client.js';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

const TOOLS = ['showMap', 'pick-colour', 'delete'];
const RUN = 'run_of_tools';

/**
 * Tools that clients bring are permitted, listed and refused like every other method (PROTOCOL §14), and
 * only the run that brought them has them. The lines that defend: CapabilityAccess, which finds them in
 * the caller alone, and ClientToolSet, whose handler hands out to nobody but the runtime.
 */
describe('tools of clients', () => {
  let product: Product;
  let admin: AdminClient;
  let person: ApiClient;
  let gateway: ToolGateway;
  let calls = 0;

  beforeAll(async () => {
    product = await startProduct({ CLI_EXECUTOR: 'inline' });
    admin = new AdminClient(product.url);
    await admin.register();
    person = await product.client().register();
    gateway = product.app.get(ToolGateway, { strict: false });
    const tools = TOOLS.map((name) => ({ name, description: `Does ${name}.` }));
    const run = { threadId: 'thread-of-tools', message: 'hello', tools };
    const { status, body } = await person.post('/agent/runs', run);
    if (status !== 202) throw new Error(JSON.stringify(body));
    for await (const _frame of person.frames('/agent/runs/thread-of-tools/events')) continue;
    // The offline planner takes orders from the person's words alone, and knows no tool of a client.
    await product.app
      .get(DataSource, { strict: false })
      .query('UPDATE agent_runs SET id = $1 WHERE thread_id = $2', [RUN, 'thread-of-tools']);
  });
  afterAll(() => product.close());

  const credentialOf = async (scope: string[], runId: string | undefined, profile = 'chat') => {
    const { credential } = await product.app.get(CredentialService, { strict: false }).exchange(
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
      { scope, profile, ...(runId !== undefined && { runId }) },
    );
    return credential;
  };
  const request = (credential: string, module: string, method: string, input: object) => ({
    credential,
    call: { module, method, input },
    toolCallId: `call_${(calls += 1)}`,
    door: 'agent' as const,
  });
  const never = new AbortController().signal;
  /** What the runtime is told of a call: `handed_out`, or the code of its error. */
  const called = async (credential: string, method: string) => {
    const outcome = await gateway.handOut(request(credential, 'client', method, {}), never);
    return outcome.error?.code ?? outcome.status;
  };
  const listed = async (credential: string): Promise<string[]> => {
    const record = await gateway.invoke(request(credential, 'help', 'methods', {}), never);
    const data = record.result?.data as
      { methods: { module: string; method: string }[] } | undefined;
    return (data?.methods ?? [])
      .filter(({ module }) => module === 'client')
      .map(({ method }) => method);
  };

  it('are called as they are listed and explained, for every policy and scope', async () => {
    const patterns = fc.array(
      fc.constantFrom('*', 'client.*', '*.delete', 'client.showMap', 'client.pick-colour'),
      { maxLength: 3 },
    );
    const worlds = fc.record({
      chat: fc.record({ allow: patterns, deny: patterns, ask: patterns }),
      user: fc.option(fc.record({ deny: patterns, ask: patterns })),
      scope: fc.constantFrom<string[]>(['*'], ['client.*', 'help.*'], ['client.showMap', 'help.*']),
    });
    await fc.assert(
      fc.asyncProperty(worlds, async ({ chat, user, scope }) => {
        const allow = [...chat.allow, 'help.*'];
        const deny = chat.deny.filter((pattern) => pattern !== '*');
        const ask = chat.ask.filter((pattern) => pattern !== '*');
        const document: WhitelistDocument = {
          profiles: { chat: { allow, deny, ask } },
          roles: {},
          users: user
            ? { [person.userId]: { deny: user.deny.filter((one) => one !== '*'), ask: [] } }
            : {},
        };
        await admin.putPolicy(document);
        const decide = compileWhitelist(document);
        const credential = await credentialOf(scope, RUN);
        const names = await listed(credential);
        for (const name of TOOLS) {
          const id = `client.${name}`;
          const subject = { profile: 'chat', roles: ['user'], userId: person.userId };
          const inScope = scope.some((one) => ['*', 'client.*', id].includes(one));
          const { effect } = decide(subject, id);
          const may = effect !== 'deny' && inScope;
          expect([name, names.includes(name)]).toEqual([name, may]);
          const expected = { allow: 'handed_out', ask: 'APPROVAL_REQUIRED', deny: '' };
          const outcome = await called(credential, name);
          if (may) expect(outcome).toBe(expected[effect]);
          else expect(['METHOD_NOT_ALLOWED', 'SCOPE_EXCEEDED']).toContain(outcome);
          const explained = await admin.post('/admin/whitelist/explain', {
            userId: person.userId,
            module: 'client',
            method: name,
            scope,
          });
          expect(explained.body['capabilities']).toMatchObject([
            { capability: id, effect: may ? effect : 'deny' },
          ]);
        }
      }),
      { numRuns: 12, interruptAfterTimeLimit: 12_000 },
    );
  });

  it('are nobody’s but the run’s that brought them, and run through no other door', async () => {
    await admin.putPolicy(DEFAULT_WHITELIST);
    const own = await credentialOf(['*'], RUN);
    expect(await listed(own)).toEqual(TOOLS.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(await called(own, 'showMap')).toBe('handed_out');
    // The runtime alone hands out: with the run's own credential a door refuses.
    const { error } = await gateway.invoke(request(own, 'client', 'showMap', {}), never);
    expect(error).toMatchObject({ code: 'FORBIDDEN' });
    for (const runId of [undefined, 'run_of_nobody']) {
      const other = await credentialOf(['*'], runId);
      expect(await listed(other)).toEqual([]);
      expect(await called(other, 'showMap')).toBe('MODULE_NOT_FOUND');
    }
    const pressed = await person.post('/agent/actions', { module: 'client', method: 'showMap' });
    expect(pressed.body).toMatchObject({ error: { code: 'MODULE_NOT_FOUND' } });
  });

  it('are counted as one, whatever clients call them', async () => {
    const count = jest.spyOn(product.app.get(ToolTelemetry, { strict: false }), 'call');
    const own = await credentialOf(['*'], RUN);
    expect(await called(own, 'showMap')).toBe('handed_out');
    await called(own, 'anything');
    await gateway.handOut(request(own, 'help', 'methods', {}), never);
    expect(count.mock.calls.map(([method]) => method)).toEqual([
      'client.*',
      'client.*',
      'help.methods',
    ]);
    count.mockRestore();
  });

  it('are compiled by no request, and one by one when they are called', async () => {
    const compile = jest.spyOn(Ajv2020.prototype, 'compile');
    const tools = Array.from({ length: 60 }, (_, n) => ({
      name: `u${n}`,
      description: '',
      parameters: { type: 'object', properties: { [`of${n}`]: { type: 'string' } } },
    }));
    const { status } = await person.post('/agent/runs', {
      threadId: 'thread-of-many',
      message: 'hello',
      tools,
    });
    expect(status).toBe(202);
    for await (const _frame of person.frames('/agent/runs/thread-of-many/events')) continue;
    expect(compile).not.toHaveBeenCalled();
    const run = 'run_of_many';
    await product.app
      .get(DataSource, { strict: false })
      .query('UPDATE agent_runs SET id = $1 WHERE thread_id = $2', [run, 'thread-of-many']);
    const own = await credentialOf(['*'], run);
    for (const name of ['u7', 'u7']) expect(await called(own, name)).toBe('handed_out');
    expect(compile).toHaveBeenCalledTimes(1);
    compile.mockRestore();
  });

  it('are not for what runs while nobody looks', async () => {
    await admin.putPolicy(DEFAULT_WHITELIST);
    const nightly = await credentialOf(['*'], RUN, 'automation');
    expect(await listed(nightly)).toEqual([]);
    expect(await called(nightly, 'showMap')).toBe('METHOD_NOT_ALLOWED');
  });
});
