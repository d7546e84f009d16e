import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, SignJWT, type JWTPayload } from 'jose';
import { DataSource } from 'typeorm';
import { RunFactsModule } from '../../src/agent/runs/run-facts.module.js';
import { AccessTokens } from '../../src/auth/access-tokens.js';
import { SIGNING_KEY, type SigningKey } from '../../src/auth/signing-key.js';
import { CredentialModule } from '../../src/credential/credential.module.js';
import { CredentialService } from '../../src/credential/credential.service.js';
import { HelpModule } from '../../src/modules/help/help.module.js';
import { SkillsModule } from '../../src/skills/skills.module.js';
import { ThreadService } from '../../src/threads/thread.service.js';
import { ToolRouterModule } from '../../src/tool-router/tool-router.module.js';
import type { ApiClient } from '../support/api-client.js';
import { startAuthApp } from '../support/auth-app.js';

const CALL = { module: 'help', method: 'methods', input: {} };
/** Seconds by which clocks may differ (src/auth/token-issuer.ts). */
const LEEWAY = 5;

/** PROTOCOL §13: for what a token was issued, and when it holds. */
describe('a token', () => {
  let context: Awaited<ReturnType<typeof startAuthApp>>;
  let person: ApiClient;
  let key: SigningKey;

  beforeAll(async () => {
    context = await startAuthApp([
      CredentialModule,
      SkillsModule,
      RunFactsModule,
      ToolRouterModule,
      HelpModule,
    ]);
    person = await context.api.register();
    key = context.server.app.get(SIGNING_KEY, { strict: false });
  });
  afterAll(() => context.server.close());

  /** A credential as a run of this process gets it. */
  const exchange = async (bound: { runId?: string; threadId?: string }) => {
    const { app } = context.server;
    const principal = await app.get(AccessTokens, { strict: false }).verify(person.token);
    const service = app.get(CredentialService, { strict: false });
    return (await service.exchange(principal, { scope: ['*'], ...bound })).credential;
  };
  const tool = (credential: string, said?: object, call: object = CALL) =>
    context.api.post('/tools/project_cli', call, {
      authorization: `Bearer ${credential}`,
      ...(said && { 'x-project-cli-context': JSON.stringify(said) }),
    });
  const recorded = () =>
    context.server.app
      .get(DataSource, { strict: false })
      .query<{ run_id: string | null; thread_id: string | null }[]>(
        'SELECT run_id, thread_id FROM tool_calls WHERE user_id = $1 ORDER BY started_at, id',
        [person.userId],
      );

  // Defence: src/tool-router/call-session.ts: assertRun; a thread cannot be said at all
  // (src/tool-router/call-context-header.ts: parseContextHeader), it is the credential's.
  it('of a run acts for that run and its thread alone, whatever the call says', async () => {
    const threads = context.server.app.get(ThreadService, { strict: false });
    for (const id of ['thr_own', 'thr_else']) await threads.claim(id, person.userId);
    const own = await exchange({ runId: 'run_own', threadId: 'thr_own' });
    const runless = await exchange({ threadId: 'thr_own' });

    for (const [credential, runId] of [
      [own, 'run_else'],
      [own, 'RUN_OWN'],
      [runless, 'run_own'],
    ] as const) {
      const { status, body } = await tool(credential, { run_id: runId });
      expect([status, body.error]).toEqual([
        401,
        expect.objectContaining({ code: 'CREDENTIAL_INVALID' }),
      ]);
    }
    for (const name of ['thread_id', 'threadId']) {
      const said = await tool(own, { [name]: 'thr_else' });
      expect(said).toMatchObject({ status: 400, body: { code: 'INVALID_TOOL_CALL' } });
      const beside = await tool(own, undefined, { ...CALL, [name]: 'thr_else' });
      expect(beside.body).toMatchObject({ error: { code: 'INVALID_TOOL_CALL' } });
      const inInput = await tool(own, undefined, { ...CALL, input: { [name]: 'thr_else' } });
      expect(inInput.body).toMatchObject({ error: { code: 'INVALID_ACTION_INPUT' } });
    }
    expect((await tool(own, { run_id: 'run_own' })).status).toBe(200);
    expect((await tool(runless)).status).toBe(200);
    // What was refused for what it is stands in the run as a failure; nothing stands elsewhere.
    const places = new Set((await recorded()).map((row) => `${row.run_id} ${row.thread_id}`));
    expect([...places].toSorted()).toEqual(['null thr_own', 'run_own thr_own']);
  });

  // Defence: src/auth/token-issuer.ts: check (iat, nbf, exp with a leeway) and isOver (a token that
  // was verified before is judged by the clock again).
  it('holds from its second to its last, give or take what clocks may differ by', async () => {
    const { clock } = context;
    clock.freeze();
    const second = () => Math.floor(clock.now().getTime() / 1000);
    const sign = (token: string, typ: string, changed: JWTPayload) =>
      new SignJWT({ ...decodeJwt(token), ...changed })
        .setProtectedHeader({ alg: 'EdDSA', typ, kid: key.kid })
        .sign(key.privateKey);
    const { credential } = await person.credential();
    const doors = [
      {
        token: person.token,
        typ: 'at+jwt',
        ask: (token: string) => context.api.get('/auth/me', { authorization: `Bearer ${token}` }),
        codeOf: (body: Record<string, unknown>) => body.code,
      },
      {
        token: credential,
        typ: 'credential+jwt',
        ask: (token: string) => tool(token),
        codeOf: ({ error }: Record<string, unknown>) => Reflect.get(Object(error), 'code'),
      },
    ];
    for (const { token, typ, ask, codeOf } of doors) {
      const outcome = async (changed: JWTPayload) => {
        const { status, body } = await ask(await sign(token, typ, changed));
        return status === 200 ? 'accepted' : codeOf(body);
      };
      const now = second();
      const exp = now + 60;
      expect([
        typ,
        await outcome({ exp, iat: now + LEEWAY }),
        await outcome({ exp, iat: now + LEEWAY + 1 }),
        await outcome({ exp, nbf: now + LEEWAY }),
        await outcome({ exp, nbf: now + LEEWAY + 1 }),
        await outcome({ exp: now - LEEWAY + 1 }),
        await outcome({ exp: now - LEEWAY }),
      ]).toEqual([
        typ,
        'accepted',
        'CREDENTIAL_INVALID',
        'accepted',
        'CREDENTIAL_INVALID',
        'accepted',
        'CREDENTIAL_EXPIRED',
      ]);

      const short = await sign(token, typ, { exp: now + 2 });
      expect((await ask(short)).status).toBe(200);
      clock.advance(1 + LEEWAY);
      expect((await ask(short)).status).toBe(200);
      clock.advance(1);
      expect(codeOf((await ask(short)).body)).toBe('CREDENTIAL_EXPIRED');
    }
    clock.unfreeze();
  });
});
