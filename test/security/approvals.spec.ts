import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { CredentialService } from '../../src/credential/credential.service.js';
import { InteractionModule } from '../../src/modules/interaction/interaction.module.js';
import { InterruptSweeper } from '../../src/interrupts/interrupt-sweeper.js';
import { CapabilityRegistry } from '../../src/tool-router/capability-registry.js';
import { ApiClient } from '../support/api-client.js';
import { gate, untilSomebodyWaits } from '../support/failing-rows.js';
import { startTestRouter, type TestRouter } from '../support/tool-router.js';
import { Hold, VaultModule } from './vault-module.js';

const INPUT = { name: 'gold' };
const YES = { approved: true };

describe('a call outside of runs that needs an approval', () => {
  let router: TestRouter;
  let person: ApiClient;
  let credential: string;

  beforeAll(async () => {
    router = await startTestRouter([VaultModule, InteractionModule]);
    await router.uow.manager.query('CREATE TABLE vault_items (text text)');
    const { version } = await router.whitelist.current();
    const profiles = {
      chat: { allow: ['*'], ask: ['vault.look'] },
      automation: { allow: ['*'] },
    };
    await router.whitelist.replace({ profiles }, version, router.principal.userId);
    person = new ApiClient(router.url);
    const { email } = router.principal;
    const signedIn = await person.post('/auth/token', { email, password: 'correct horse battery' });
    person.token = String(signedIn.body.accessToken);
  });
  afterAll(() => router.close());
  beforeEach(async () => {
    await router.uow.manager.query('DELETE FROM vault_items');
    credential = await router.credential();
  });

  const call = (method: string, input: object = INPUT, using = credential) => {
    const [module = '', name = ''] = method.includes('.') ? method.split('.') : ['vault', method];
    return router.call(module, name, input, { credential: using });
  };
  /** Id under which the call waits. */
  const asked = async (method: string, input?: object, using?: string): Promise<string> => {
    const { error } = await call(method, input, using);
    expect(error).toMatchObject({ code: 'APPROVAL_REQUIRED', interrupt: { kind: 'approval' } });
    return error?.interrupt?.id ?? '';
  };
  const resolve = (id: string, payload?: object, by = person) =>
    by.post(`/agent/interrupts/${id}/resolve`, {
      status: payload ? 'resolved' : 'cancelled',
      ...(payload && { payload }),
    });
  const items = async (): Promise<string[]> => {
    const rows = await router.uow.manager.query<{ text: string }[]>('SELECT text FROM vault_items');
    return rows.map(({ text }) => text);
  };

  it('waits once however often it is repeated, and runs once when it is approved', async () => {
    const id = await asked('store');
    expect(await asked('store', { name: 'gold' })).toBe(id);
    expect(await items()).toEqual([]);
    const [recorded] = await router.uow.manager.query<{ count: string }[]>(
      `SELECT count(*) FROM tool_calls WHERE code = 'APPROVAL_REQUIRED'`,
    );
    expect(recorded?.count).toBe('0');
    const shown = await person.get(`/agent/interrupts/${id}`);
    expect(shown.body).toMatchObject({ status: 'pending', input: INPUT, module: 'vault' });
    expect((await resolve(id, YES)).body).toMatchObject({ status: 'approved' });

    const record = await call('store');
    expect(record).toMatchObject({
      status: 'success',
      approval: { interrupt_id: id, input_hash: shown.body.inputHash },
    });
    expect(await items()).toEqual(['gold 1']);
    expect(await asked('store')).not.toBe(id);
  });

  it('is asked for by a rule of the whitelist too, for a method that only reads', async () => {
    const id = await asked('look');
    expect((await person.get(`/agent/interrupts/${id}`)).body.rule).toBe(
      'profiles.chat.ask vault.look',
    );
    await resolve(id, YES);
    expect((await call('look')).status).toBe('success');
    await asked('look');
    const elsewhere = await router.credential({ profile: 'automation' });
    expect((await call('look', INPUT, elsewhere)).status).toBe('success');
  });

  it('runs once when two use the same approval at the same time', async () => {
    await resolve(await asked('store'), YES);
    const held = gate();
    router.app.get(Hold, { strict: false }).until = held.opened;
    const both = [call('store'), call('store')];
    await untilSomebodyWaits(router.app.get(DataSource, { strict: false }));
    held.open();
    router.app.get(Hold, { strict: false }).until = null;
    const outcomes = (await Promise.all(both)).map(({ status, error }) => error?.code ?? status);
    expect(outcomes.toSorted()).toEqual(['APPROVAL_REQUIRED', 'success']);
    expect(await items()).toEqual(['gold 1']);
  });

  it('keeps its approval when it fails, because nothing has happened', async () => {
    const id = await asked('store', { name: 'broken' });
    await resolve(id, YES);
    expect((await call('store', { name: 'broken' })).error?.code).toBe('NOT_FOUND');
    expect((await call('store', { name: 'broken' })).error?.code).toBe('NOT_FOUND');
  });

  it('never serves other input, another credential or another user', async () => {
    const id = await asked('store');
    await resolve(id, YES);
    await asked('store', { name: 'gold', amount: 2 });
    await asked('store', INPUT, await router.credential());
    const other = await new ApiClient(router.url).register();
    const exchanged = await other.post('/credentials', { scope: ['*'] });
    await asked('store', INPUT, String(exchanged.body.credential));
    expect((await other.get(`/agent/interrupts/${id}`)).status).toBe(404);
    expect((await resolve(await asked('wipe'), YES, other)).status).toBe(404);
    expect((await other.get('/agent/interrupts?status=approved')).body.interrupts).toEqual([]);
    // The controlled credential of an agent is no person.
    const agent = new ApiClient(router.url);
    agent.token = credential;
    expect((await resolve(id, YES, agent)).status).toBe(401);
    expect(await items()).toEqual([]);
    expect((await call('store')).status).toBe('success');
  });

  it('says why it was refused, and stays refused', async () => {
    await resolve(await asked('store'), { approved: false, reason: 'Not today.' });
    const { error } = await call('store');
    expect(error).toMatchObject({ code: 'APPROVAL_DENIED' });
    expect(error?.message).toContain('Not today.');
    await resolve(await asked('wipe'));
    expect((await call('wipe')).error?.code).toBe('APPROVAL_DENIED');
  });

  it('cannot be approved or run when its time is over', async () => {
    const id = await asked('store');
    await router.uow.manager.query(
      `UPDATE interrupts SET expires_at = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    expect((await resolve(id, YES)).body).toMatchObject({ code: 'CONFLICT' });
    expect((await person.get(`/agent/interrupts/${id}`)).body.status).toBe('expired');
    expect((await call('store')).error?.code).toBe('APPROVAL_EXPIRED');
    await router.app.get(InterruptSweeper, { strict: false }).sweep();
    const [row] = await router.uow.manager.query<{ status: string }[]>(
      'SELECT status FROM interrupts WHERE id = $1',
      [id],
    );
    expect(row?.status).toBe('expired');
    expect((await call('store')).error?.code).toBe('APPROVAL_EXPIRED');
  });

  it('runs with what a person made of it, and with nothing else', async () => {
    const id = await asked('store');
    const bad = await resolve(id, { ...YES, editedArgs: { name: 'far too long a name' } });
    expect(bad.body).toMatchObject({
      code: 'INVALID_ACTION_INPUT',
      issues: [{ path: 'payload.editedArgs.name' }],
    });
    const secret = await resolve(id, { ...YES, editedArgs: { name: 'x', token: 'abc' } });
    expect(secret.body).toMatchObject({ code: 'CREDENTIAL_IN_INPUT' });
    expect((await resolve(id, { ...YES, editedArgs: { name: 'tin', amount: '2' } })).status).toBe(
      200,
    );
    expect((await resolve(id, YES)).body).toMatchObject({ code: 'CONFLICT' });
    const refused = (await call('store')).error;
    expect(refused).toMatchObject({ code: 'APPROVAL_DENIED', allowed_input: { amount: 2 } });
    expect((await call('store', refused?.allowed_input)).status).toBe('success');
    expect(await items()).toEqual(['tin 2']);
  });

  it.each([
    ['nothing', undefined, 'payload'],
    ['no decision', {}, 'payload.approved'],
    ['a word', { approved: 'yes' }, 'payload.approved'],
    ['an unknown key', { approved: true, forever: true }, 'payload.forever'],
    ['a no with arguments', { approved: false, editedArgs: {} }, 'payload.editedArgs'],
  ])('does not take %s for an answer', async (_what, payload, path) => {
    const id = await asked('store');
    const answer = await person.post(`/agent/interrupts/${id}/resolve`, {
      status: 'resolved',
      payload,
    });
    expect(answer.body).toMatchObject({ code: 'INVALID_ACTION_INPUT', issues: [{ path }] });
  });

  it('is still denied when the method is switched off, or denied, after the approval', async () => {
    await resolve(await asked('store'), YES);
    const registry = router.app.get(CapabilityRegistry, { strict: false });
    registry.setEnabled('vault.store', false);
    expect((await call('store')).error?.code).toBe('METHOD_DISABLED');
    registry.setEnabled('vault.store', true);
    const { version, document } = await router.whitelist.current();
    const users = { [router.principal.userId]: { deny: ['vault.store'] } };
    const denied = await router.whitelist.replace(
      { ...document, users },
      version,
      router.principal.userId,
    );
    expect((await call('store')).error?.code).toBe('METHOD_NOT_ALLOWED');
    await router.whitelist.replace(document, denied.version, router.principal.userId);
    expect((await call('store')).status).toBe('success');
  });

  it('can be allowed once and for all, in its profile, until that is taken back', async () => {
    await resolve(await asked('store'), { ...YES, always: true });
    for (const name of ['a', 'b']) expect((await call('store', { name })).status).toBe('success');
    await asked('store', INPUT, await router.credential({ profile: 'automation' }));
    const { rules } = (await person.get('/agent/approval-rules')).body as {
      rules: { id: string; method: string }[];
    };
    expect(rules).toMatchObject([{ module: 'vault', method: 'store', profile: 'chat' }]);
    const other = await new ApiClient(router.url).register();
    expect((await other.get('/agent/approval-rules')).body.rules).toEqual([]);
    const path = `/agent/approval-rules/${rules[0]?.id}`;
    expect((await other.call('DELETE', path)).status).toBe(404);
    expect((await person.call('DELETE', path)).status).toBe(204);
    await asked('store', { name: 'c' });
    const always = await resolve(await asked('wipe'), { ...YES, always: true });
    expect(always.body).toMatchObject({ issues: [{ path: 'payload.always' }] });
  });

  it('are asked again by a rule that an admin writes after "always"', async () => {
    await resolve(await asked('look'), { ...YES, always: true });
    expect((await call('look')).status).toBe('success');
    const { version, document } = await router.whitelist.current();
    const { userId } = router.principal;
    const users = { [userId]: { deny: [], ask: ['vault.*'] } };
    const later = await router.whitelist.replace({ ...document, users }, version, userId);
    // Defence: src/interrupts/approval-rule.repository.ts: holds (rule)
    await asked('look', { name: 'later' });
    await router.whitelist.replace(document, later.version, userId);
    expect((await call('look', { name: 'after' })).status).toBe('success');
  });

  it('lets a person have fifty waiting at most, however many come at the same time', async () => {
    await router.uow.manager.query('DELETE FROM interrupts');
    const calls = Array.from({ length: 60 }, (_, n) => call('store', { name: `gold ${n}` }));
    const codes = (await Promise.all(calls)).map(({ error }) => error?.code);
    expect(codes.filter((code) => code === 'APPROVAL_REQUIRED')).toHaveLength(50);
    expect(codes.filter((code) => code === 'LIMIT_EXCEEDED')).toHaveLength(10);
    const rows = await router.uow.manager.query<unknown[]>('SELECT id FROM interrupts');
    expect(rows).toHaveLength(50);
    // Those whose time is over do not wait, also before the sweeper has noted it.
    await router.uow.manager.query(`UPDATE interrupts SET expires_at = '2020-01-01'`);
    await asked('store', { name: 'one more' });
    await router.uow.manager.query('DELETE FROM interrupts');
  });

  it('lists what waits in pages, and refuses a cursor that it did not give', async () => {
    await asked('store', { name: 'p1' });
    await asked('store', { name: 'p2' });
    const first = await person.get('/agent/interrupts?status=pending&limit=1');
    const next = await person.get(
      `/agent/interrupts?status=pending&limit=1&cursor=${String(first.body.nextCursor)}`,
    );
    expect([first, next].map(({ body }) => body.interrupts)).toMatchObject([
      [{ input: { name: 'p2' } }],
      [{ input: { name: 'p1' } }],
    ]);
    expect((await person.get('/agent/interrupts?cursor=abc')).status).toBe(400);
    expect((await person.get('/agent/interrupts?status=maybe')).status).toBe(400);
  });

  it('is approved by the press of a button, which asks nobody', async () => {
    const credentials = router.app.get(CredentialService, { strict: false });
    const pressed = await credentials.exchange(router.principal, { scope: ['*'], actor: 'action' });
    const press = (module: string, method: string, input: object) =>
      router.call(module, method, input, { credential: pressed.credential, door: 'action' });
    expect((await press('vault', 'wipe', INPUT)).status).toBe('success');
    const question = { question: 'Well?', kind: 'text' };
    expect((await press('interaction', 'ask', question)).error?.code).toBe('FORBIDDEN');
  });

  it('asks a question, takes an answer that fits, and gives it to the method once', async () => {
    const form = {
      question: 'When?',
      kind: 'form',
      fields: [{ name: 'day', label: 'Day', type: 'date' }],
    };
    const waiting = (await call('interaction.ask', form)).error?.interrupt;
    expect(waiting).toMatchObject({ kind: 'question' });
    const id = waiting?.id ?? '';
    const wrong = await resolve(id, { answer: { day: '2026-02-30' } });
    expect(wrong.body).toMatchObject({ issues: [{ path: 'payload.answer.day' }] });
    await resolve(id, { answer: { day: '2026-02-28' } });
    expect((await call('interaction.ask', form)).result?.data).toEqual({
      answer: { day: '2026-02-28' },
    });
    const again = (await call('interaction.ask', form)).error?.interrupt?.id ?? '';
    await resolve(again);
    expect((await call('interaction.ask', form)).result?.data).toEqual({ declined: true });
  });

  it.each([
    ['question', { kind: 'text', question: 'Allow \u202edrowssap' }],
    ['options.1', { kind: 'choice', question: 'Which?', options: ['a', 'b\u2066'] }],
    [
      'fields.0.name',
      {
        kind: 'form',
        question: 'Who?',
        fields: [{ name: 'constructor', label: 'x', type: 'string' }],
      },
    ],
    [
      'fields.0.label',
      {
        kind: 'form',
        question: 'Who?',
        fields: [{ name: 'who', label: '\u202ax', type: 'string' }],
      },
    ],
  ])('asks nobody what cannot be read or answered: %s', async (path, input) => {
    const { error } = await call('interaction.ask', input);
    expect(error).toMatchObject({ code: 'INVALID_ACTION_INPUT', issues: [{ path }] });
  });

  it('undoes what a method did before it asked', async () => {
    const id = (await call('confirm')).error?.interrupt?.id ?? '';
    expect(await items()).toEqual([]);
    await resolve(id, { sure: true });
    expect((await call('confirm')).status).toBe('success');
    expect(await items()).toEqual(['gold']);
  });
});
