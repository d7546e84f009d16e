import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { openTcpProxy } from '../../test/support/tcp-proxy.js';
import { startTestApp, type TestApp } from '../../test/support/test-app.js';
import { RunFactsModule } from '../agent/runs/run-facts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { StateWatch } from '../database/state-watch.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { dataSourceOptions } from '../database/data-source.js';
import { WhitelistVersionEntity } from './entities/whitelist-version.entity.js';
import { ToolRouterModule } from '../tool-router/tool-router.module.js';
import { WhitelistAdminModule } from './whitelist-admin.module.js';
import { WhitelistService } from './whitelist.service.js';
import { Notifications } from '../database/notifications.js';
import { Clock } from '../common/clock.js';
import { WhitelistRepository } from './whitelist.repository.js';

const chat = { profile: 'chat', roles: ['user'], userId: 'usr_1' };

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A replica's notifications that seem to work and deliver nothing. */
class DeafNotifications extends Notifications {
  override get connected(): boolean {
    return true;
  }

  override subscribe(): () => void {
    return () => undefined;
  }
}

/** A replica that hears of nothing, on a database of its own connections. */
async function deafReplica(url: string): Promise<{
  whitelist: WhitelistService;
  close(): Promise<void>;
}> {
  const options = { url, poolSize: 2 };
  const dataSource = await new DataSource({
    ...dataSourceOptions(options),
    entities: [WhitelistVersionEntity],
  }).initialize();
  const uow = new UnitOfWork(dataSource);
  const watch = new StateWatch(new DeafNotifications(options, uow), uow);
  const whitelist = new WhitelistService(new WhitelistRepository(uow), watch, uow, new Clock());
  await whitelist.onModuleInit();
  return {
    whitelist,
    close: async () => {
      watch.onModuleDestroy();
      await dataSource.destroy();
    },
  };
}

describe('/admin/whitelist', () => {
  let test: TestApp;
  let admin: string;
  let user: string;
  let whitelist: WhitelistService;
  let replica: WhitelistService;
  let watch: StateWatch;

  const register = async (email: string): Promise<string> => {
    const response = await fetch(`${test.url}/api/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse battery' }),
    });
    return ((await response.json()) as { accessToken: string }).accessToken;
  };
  const request = async (
    method: 'GET' | 'PUT',
    token: string,
    body?: unknown,
    ifMatch?: string,
  ) => {
    const response = await fetch(`${test.url}/api/v1/admin/whitelist?allowUnknown=true`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    return { status: response.status, etag: response.headers.get('etag'), body: answer };
  };

  beforeAll(async () => {
    test = await startTestApp({
      modules: [AuthModule, RunFactsModule, ToolRouterModule, WhitelistAdminModule],
    });
    admin = await register('admin@example.com');
    user = await register('user@example.com');
    whitelist = test.app.get(WhitelistService, { strict: false });
    const get = <T>(type: new (...args: never[]) => T): T => test.app.get(type, { strict: false });
    const uow = get(UnitOfWork);
    watch = new StateWatch(get(Notifications), uow);
    replica = new WhitelistService(get(WhitelistRepository), watch, uow, get(Clock));
  });

  afterAll(async () => {
    watch.onModuleDestroy();
    await test.close();
  });

  it('denies everything until a policy could be read', async () => {
    expect(replica.decide(chat, 'help.methods').effect).toBe('deny');
    await replica.onModuleInit();
    expect(replica.decide(chat, 'help.methods').effect).toBe('allow');
  });

  it('shows the default policy as version 1, to admins alone', async () => {
    const shown = await request('GET', admin);
    expect(shown).toMatchObject({ status: 200, etag: '"1"', body: { version: 1 } });
    expect((await request('GET', user)).status).toBe(403);
    expect((await request('PUT', user, shown.body, '"1"')).status).toBe(403);
  });

  it('puts a new version in force here at once, and on other replicas', async () => {
    expect(whitelist.decide(chat, 'calendar.delete').effect).toBe('allow');
    const document = { profiles: { chat: { allow: ['*'], deny: ['calendar.delete'] } } };
    const put = await request('PUT', admin, document, '"1"');
    expect(put).toMatchObject({ status: 200, etag: '"2"', body: { version: 2 } });
    expect(whitelist.decide(chat, 'calendar.delete').effect).toBe('deny');
    await until(() => replica.decide(chat, 'calendar.delete').effect === 'deny');
    expect(replica.decide(chat, 'calendar.read').effect).toBe('allow');
  });

  it('names as many users as docs/WHITELIST.md says, and no more', async () => {
    const naming = (count: number) => ({
      profiles: {},
      users: Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`usr_${n}`, { deny: ['*.delete'] }]),
      ),
    });
    // Read in full, and refused only for the version.
    const many = await request('PUT', admin, naming(10_000), '"999"');
    expect(many.status).toBe(409);
    const tooMany = await request('PUT', admin, naming(10_001), '"999"');
    expect(tooMany).toMatchObject({ status: 400, body: { code: 'INVALID_ACTION_INPUT' } });
  });

  it.each([
    ['no If-Match', undefined],
    ['a stale one', '"1"'],
    ['a weak one', 'W/"2"'],
    ['any', '*'],
    ['a version to come', '"9"'],
  ])('answers %s with CONFLICT', async (_name, ifMatch) => {
    const put = await request('PUT', admin, { profiles: {} }, ifMatch);
    expect(put).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  it('names the versions that do not agree', async () => {
    const stale = await request('PUT', admin, { profiles: {} }, '"1"');
    expect(stale.body).toMatchObject({ detail: expect.stringContaining('Version 1 ') });
    const torn = await request('PUT', admin, { version: 1, profiles: {} }, '"2"');
    expect(torn.body).toMatchObject({
      detail: expect.stringMatching(/version 1, If-Match version 2/),
    });
  });

  it('takes back what it showed, and lets one of two admins win', async () => {
    const { body, etag } = await request('GET', admin);
    const both = await Promise.all([1, 2].map(() => request('PUT', admin, body, etag ?? '')));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await request('GET', admin)).body).toEqual({ ...body, version: 3 });
  });

  it('names the faults of a document', async () => {
    const put = await request(
      'PUT',
      admin,
      { profiles: { chat: { allow: ['no pattern'] } } },
      '"3"',
    );
    expect(put).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ACTION_INPUT', issues: [{ path: 'profiles.chat.allow.0' }] },
    });
  });

  it('reaches a replica that missed the notification', async () => {
    const deaf = await deafReplica(test.databaseUrl);
    try {
      expect(deaf.whitelist.decide(chat, 'calendar.read').effect).toBe('allow');
      const document = { profiles: { chat: { allow: ['help.*'] } } };
      expect((await request('PUT', admin, document, '"3"')).status).toBe(200);
      await until(() => deaf.whitelist.decide(chat, 'calendar.read').effect === 'deny');
      expect(deaf.whitelist.decide(chat, 'help.methods').effect).toBe('allow');
    } finally {
      await deaf.close();
    }
  });

  it('denies when it cannot know for long what is in force, and knows again when it can', async () => {
    const proxy = await openTcpProxy(test.databaseUrl);
    const far = await deafReplica(proxy.url);
    try {
      expect(far.whitelist.decide(chat, 'help.methods').effect).toBe('allow');
      proxy.freeze();
      await until(() => far.whitelist.decide(chat, 'help.methods').effect === 'deny');
      expect(far.whitelist.decide(chat, 'help.methods')).toMatchObject({ unknown: true });
      proxy.thaw();
      await until(() => far.whitelist.decide(chat, 'help.methods').effect === 'allow');
    } finally {
      // Closed first: statements on the frozen connections end with it.
      await proxy.close();
      await far.close();
    }
  });

  it('keeps every version and who made it', async () => {
    const rows = await test.app
      .get(UnitOfWork, { strict: false })
      .manager.query<{ version: number; created_by: string | null }[]>(
        'SELECT version, created_by FROM whitelist_versions ORDER BY version',
      );
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    expect(rows.map(({ created_by }) => created_by?.slice(0, 4) ?? null)).toEqual([
      null,
      'usr_',
      'usr_',
      'usr_',
    ]);
  });

  it('denies everything when the stored policy cannot be understood', async () => {
    const { manager } = test.app.get(UnitOfWork, { strict: false });
    await manager.query(
      `INSERT INTO whitelist_versions VALUES (5, '{"profiles":{"chat":{"allow":"*"}}}', null, now())`,
    );
    await expect(replica.current()).rejects.toMatchObject({ code: 'DEPENDENCY_UNAVAILABLE' });
    const decision = { effect: 'deny', rule: 'no readable policy' };
    expect(replica.decide(chat, 'help.methods')).toEqual(decision);
  });
});
