import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { settle, type Belongings } from '../isolation/belongings.js';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

const PASSWORD = 'correct horse battery';

describe('DELETE /auth/me', () => {
  let product: Product;
  let admin: ApiClient;
  let leaving: Belongings;
  let staying: Belongings;

  beforeAll(async () => {
    product = await startProduct({ CLI_EXECUTOR: 'inline', TOOL_OUTPUT_STORAGE: 'always' });
    admin = await product.client().register({ displayName: 'Root' });
    leaving = await settle(product, 'larkspur', '+8613800138001', admin);
    staying = await settle(product, 'marigold', '+8613800138002', admin);
  }, 90_000);
  afterAll(async () => {
    await product.close();
  });

  const query = <T>(sql: string, parameters?: unknown[]): Promise<T[]> =>
    product.app.get(DataSource, { strict: false }).query(sql, parameters);

  /**
   * Tables in which a text stands anywhere, with the number of rows. The audit keeps the ids of those
   * who acted, and nothing else of them (docs/ADMIN.md).
   */
  async function tablesWith(text: string): Promise<Record<string, number>> {
    const tables = await query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
         AND table_name NOT LIKE 'audit_%' ORDER BY 1`,
    );
    const found: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await query<{ n: number }>(
        `SELECT count(*)::int AS n FROM "${name}" t WHERE strpos(t::text, $1) > 0`,
        [text],
      );
      if (row && row.n > 0) found[name] = row.n;
    }
    return found;
  }

  const remove = (person: ApiClient, password: unknown) =>
    person.call('DELETE', '/auth/me', { password });

  it('wants the password, and keeps the last admin', async () => {
    for (const password of ['wrong horse battery', '']) {
      expect(await remove(leaving.person, password)).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    }
    expect(await remove(leaving.person, 7)).toMatchObject({ status: 400 });
    expect(await leaving.person.call('DELETE', '/auth/me', {})).toMatchObject({ status: 400 });
    expect(await remove(product.client(), PASSWORD)).toMatchObject({ status: 401 });
    expect(await remove(admin, PASSWORD)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
    expect(await leaving.person.get('/auth/me')).toMatchObject({ status: 200 });
  });

  it('deletes nothing while a run does not end', async () => {
    // As one of a process that stands still: it hears of no cancel, and its lease holds.
    const setStatus = (status: string) =>
      query(
        `UPDATE agent_runs SET status = $2, instance_id = 'another', cancel_requested = false,
           lease_until = now() + interval '1 hour' WHERE id = $1`,
        [leaving.run, status],
      );
    await setStatus('running');
    expect(await remove(leaving.person, PASSWORD)).toMatchObject({
      status: 409,
      body: { code: 'RUN_ACTIVE', detail: expect.stringContaining('Nothing was deleted') },
    });
    const [run] = await query('SELECT cancel_requested FROM agent_runs WHERE id = $1', [
      leaving.run,
    ]);
    expect(run).toEqual({ cancel_requested: true });
    await setStatus('succeeded');
    expect(await leaving.person.get('/auth/me')).toMatchObject({ status: 200 });
  });

  it('takes everything of the user, and nothing of others', async () => {
    const { person } = leaving;
    const before = await tablesWith(staying.person.userId);
    expect(Object.keys(await tablesWith(person.userId)).length).toBeGreaterThan(10);
    const objects = await query<{ storage_path: string }>(
      'SELECT storage_path FROM tool_calls WHERE user_id = $1 AND storage_path IS NOT NULL',
      [person.userId],
    );
    expect(objects.length).toBeGreaterThan(0);

    expect(await remove(person, PASSWORD)).toMatchObject({ status: 204 });

    // The keys of the objects stand somewhere until the objects are gone.
    for (let look = 0; look < 600; look += 1) {
      const [row] = await query<{ n: number }>('SELECT count(*)::int AS n FROM object_deletions');
      if (row?.n === 0) break;
      await pause(50);
    }
    expect(await tablesWith(person.userId)).toEqual({});
    expect(await query('SELECT key FROM object_deletions')).toEqual([]);
    // Who invited them keeps their own event, with the name and address they wrote into it.
    const named = Object.keys(await tablesWith('larkspur'));
    expect(named.filter((table) => !/^calendar_(events|attendees)$/.test(table))).toEqual([]);
    const [invitation] = await query<{ owner_id: string }>(
      `SELECT DISTINCT owner_id FROM calendar_events t WHERE strpos(t::text, 'larkspur') > 0`,
    );
    expect(invitation).toEqual({ owner_id: admin.userId });
    expect(await tablesWith(staying.person.userId)).toEqual(before);
  });

  it('refuses every token of the account from then on', async () => {
    const { person, credential, refreshToken } = leaving;
    expect((await person.get('/auth/me')).status).toBe(401);
    expect((await person.post('/auth/refresh', { refreshToken })).status).toBe(401);
    expect(
      (await product.client().post('/auth/token', { email: person.email, password: PASSWORD }))
        .status,
    ).toBe(401);
    const call = await product
      .client()
      .post(
        '/tools/project_cli',
        { module: 'help', method: 'methods' },
        { authorization: `Bearer ${credential}` },
      );
    expect(JSON.stringify(call.body)).toContain('CREDENTIAL_');
    const again = await product.client().register({ email: person.email });
    expect((await again.get('/agent/threads')).body).toMatchObject({ threads: [] });
  });
});
