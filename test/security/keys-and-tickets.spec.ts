import { generateKeyPairSync, hkdfSync } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { AuditSealer } from '../../src/audit/audit-sealer.js';
import { derivationSecret, expand } from '../../src/auth/derivation-secret.js';
import { rotateKeys } from '../../src/auth/key-rotation.js';
import { IssuerKeys } from '../../src/auth/issuer-keys.js';
import { parseVerifyKeys } from '../../src/auth/verify-keys.js';
import { ConfigError, readConfig } from '../../src/config/app-config.js';
import { AttachmentLinks } from '../../src/agent/attachments/attachment-links.js';
import type { ApiClient } from '../support/api-client.js';
import { verifyTrail } from '../support/audit-probe.js';
import { says, startAgentApp, type AgentApp } from '../support/agent-app.js';

/** PROTOCOL §13, issue 5: keys rotate without downtime; no token stands in a URL. */
describe('keys and tickets', () => {
  let app: AgentApp;
  let person: ApiClient;

  beforeAll(async () => {
    app = await startAgentApp();
    person = await app.client().register();
  });
  afterAll(() => app.close());

  const me = (token: string) => app.client().get('/auth/me', { authorization: `Bearer ${token}` });
  const kids = async () => {
    const response = await fetch(`${app.url}/.well-known/jwks.json`);
    const { keys } = (await response.json()) as { keys: { kid: string; d?: string }[] };
    expect(keys.every((key) => key.d === undefined)).toBe(true);
    return keys.map(({ kid }) => kid);
  };
  const retired = async () => {
    const folder = join(app.dataDir, 'retired-keys');
    const names = await readdir(folder);
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  };
  const tool = (credential: string) =>
    app
      .client()
      .post(
        '/tools/project_cli',
        { module: 'help', method: 'methods', input: {} },
        { authorization: `Bearer ${credential}` },
      );

  it('accept what was signed before a rotation, until the old key is gone', async () => {
    const keys = app.app.get(IssuerKeys, { strict: false });
    const links = app.app.get(AttachmentLinks, { strict: false });
    const config = readConfig({ DATA_DIR: app.dataDir });
    const { credential } = await person.credential();
    const link = new URL(links.sign('att_1').url, app.url).searchParams;
    const holds = () =>
      links.holds('att_1', link.get('expires') ?? '', link.get('signature') ?? '');
    const oldKid = decodeProtectedHeader(person.token).kid;
    expect(await kids()).toEqual([oldKid]);

    const newKid = await rotateKeys(config, { now: new Date(), atOnce: false });
    await keys.look();
    expect(await kids()).toEqual([newKid, oldKid]);
    expect((await me(person.token)).status).toBe(200);
    expect((await tool(credential)).status).toBe(200);
    expect(holds()).toBe(true);
    // What is kept of the old key makes no tokens.
    for (const file of await retired()) {
      expect(file).toContain('"derivation"');
      expect(file).not.toContain('"d"');
    }
    const after = await app.client().register();
    expect(decodeProtectedHeader(after.token).kid).toBe(newKid);
    // Verified once, so that it would be remembered as good.
    expect((await me(after.token)).status).toBe(200);

    // A leak: what any key of before signed is refused.
    const last = await rotateKeys(config, { now: new Date(), atOnce: true });
    const kept = await readFile(join(app.dataDir, 'retired-keys', `${newKid}.json`), 'utf8');
    expect(kept).not.toContain('"d":');
    // This server has not noticed yet; the key of what it writes now is gone when it is sealed.
    await person.credential();
    await keys.look();
    const sealer = app.app.get(AuditSealer, { strict: false });
    // The rotation itself is noted beside; sealed is all that was written by then.
    let checked = await verifyTrail(app.app);
    while (checked.waiting > 0) {
      await sealer.seal();
      checked = await verifyTrail(app.app);
    }
    expect(checked.found).toEqual([]);
    expect(await kids()).toEqual([last]);
    for (const { token } of [person, after]) {
      expect((await me(token)).body.code).toBe('CREDENTIAL_INVALID');
    }
    expect((await tool(credential)).body).toMatchObject({ error: { code: 'CREDENTIAL_INVALID' } });
    expect(holds()).toBe(false);
    for (const file of await retired()) expect(file).not.toContain('"derivation"');
    for (const kid of [oldKid, newKid]) expect(keys.known(String(kid))).toBeDefined();
    person = await app.client().register();
    await expect(
      rotateKeys(readConfig({ AUTH_SIGNING_KEY: 'x' }), { now: new Date(), atOnce: false }),
    ).rejects.toThrow(ConfigError);
  });

  it('are kept when their file vanishes under a server, which makes no new one', async () => {
    const keys = app.app.get(IssuerKeys, { strict: false });
    const path = join(app.dataDir, 'signing-key.pem');
    const text = await readFile(path);
    const before = await kids();
    await rm(path);
    await keys.look();
    expect(await kids()).toEqual(before);
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(path, text, { mode: 0o600 });
    await keys.look();
    expect(await kids()).toEqual(before);
  });

  it('are taken from the configuration in every form, and nothing else is', async () => {
    const pairs = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
    const pem = pairs.map(({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }));
    const priv = pairs.map(({ privateKey }) => privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const jwks = pairs.map(({ publicKey }) => publicKey.export({ format: 'jwk' }));
    const forms = [
      pem.join(''),
      pem.join('').replaceAll('\n', '\\n'),
      priv.join('\n'),
      JSON.stringify(jwks),
      JSON.stringify({ keys: jwks }),
    ];
    const read = await Promise.all(forms.map((form) => parseVerifyKeys(form)));
    const names = read.map((keys) => keys.map(({ kid }) => kid).join());
    expect(new Set(names).size).toBe(1);
    expect(read.map((keys) => keys.filter((key) => key.derivation).length)).toEqual([
      0, 0, 2, 0, 0,
    ]);
    for (const { privateKey } of pairs) {
      const der = privateKey.export({ type: 'pkcs8', format: 'der' });
      const whole = Buffer.from(hkdfSync('sha256', der, '', 'steward:links', 32));
      expect(expand(derivationSecret(privateKey), 'links')).toEqual(whole);
    }
    const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const wrong = [
      rsa.export({ type: 'spki', format: 'pem' }).toString(),
      '{}',
      'x',
      `${String(pem[0])}x`,
    ];
    for (const text of wrong) await expect(parseVerifyKeys(text)).rejects.toThrow(ConfigError);
    expect(await parseVerifyKeys(' ')).toEqual([]);
  });

  const ticketOf = async (threadId: string, who = person) => {
    const answer = await who.post(`/agent/runs/${threadId}/events/ticket`, {});
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    return String(answer.body.ticket);
  };
  const open = (threadId: string, query: string) =>
    app.client().raw(`/agent/runs/${threadId}/events?${query}`);
  const codeOf = async (response: Response) => {
    const { code } = (await response.json()) as { code: string };
    return code;
  };

  it('open one stream of one thread, once, while the session goes on', async () => {
    app.model.turns.push(says('hello'), says('again'));
    const { threadId } = await person.say('hi');
    const other = await person.say('hi');
    const ticket = await ticketOf(threadId);
    const stream = await open(threadId, `ticket=${ticket}&after=0`);
    expect(stream.status).toBe(200);
    expect(await stream.text()).toContain('RUN_FINISHED');
    expect(await codeOf(await open(threadId, `ticket=${ticket}`))).toBe('CREDENTIAL_INVALID');

    // For another thread it is no ticket, and is used up by the attempt.
    const misused = await ticketOf(threadId);
    expect(await codeOf(await open(other.threadId, `ticket=${misused}`))).toBe(
      'CREDENTIAL_INVALID',
    );
    expect(await codeOf(await open(threadId, `ticket=${misused}`))).toBe('CREDENTIAL_INVALID');
    const twice = await ticketOf(threadId);
    const tries = [0, 1, 2].map(() => open(threadId, `ticket=${twice}&after=0`));
    const opened = await Promise.all(tries);
    expect(opened.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
    await Promise.all(opened.map((response) => response.text()));

    const stranger = await app.client().register();
    const foreign = await stranger.post(`/agent/runs/${threadId}/events/ticket`, {});
    expect(foreign.status).toBe(404);
    const elsewhere = await app.client().raw(`/auth/me?ticket=${await ticketOf(threadId)}`);
    expect(elsewhere.status).toBe(401);

    const late = await ticketOf(threadId);
    await person.post('/auth/sign-out', {});
    expect(await codeOf(await open(threadId, `ticket=${late}&after=0`))).toBe('CREDENTIAL_REVOKED');
  });

  it.each(['access_token', 'token', 'Token', 'bearer', 'api-key', 'token[]'])(
    'are needed because ?%s= is refused, and not repeated',
    async (name) => {
      const response = await app.client().raw(`/agent/threads?${name}=canary-4711`);
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain('canary-4711');
    },
  );
});
