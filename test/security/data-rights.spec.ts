import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { APP_CONFIG, type AppConfig } from '../../src/config/app-config.js';
import { PersonalData } from '../../src/database/personal-data.js';
import { settle, type Belongings } from '../isolation/belongings.js';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

const PASSWORD = 'correct horse battery';

/** Tables of which nothing is exported, and why. A new table is either registered or explained here. */
const NOT_EXPORTED: Record<string, string> = {
  migrations: 'which migrations ran',
  admin_states: 'versions of what admins decided; about no user',
  agent_event_heads: 'a counter for each thread',
  agent_events: 'the same facts as messages, runs and tool calls, as they were streamed',
  audit_inbox: 'entries on their way to audit_entries, for a second or so',
  audit_seals: 'signatures over entries; about no user',
  audit_checkpoints: 'signatures over removed entries; about no user',
  call_counts: 'counters for limits, which expire within a day',
  capability_settings: 'what an admin decided about methods',
  issuer_keys: 'which keys have signed',
  object_deletions: 'keys of objects that are being deleted',
  skill_rules: 'what an admin decided about skills',
  stream_tickets: 'hashes of tickets that work for a minute',
  whitelist_versions: 'what an admin decided about methods',
};

interface Line extends Record<string, unknown> {
  kind: string;
}

describe('the rights of a person over their data', () => {
  let product: Product;
  let person: Belongings;
  let admin: ApiClient;

  beforeAll(async () => {
    product = await startProduct({ CLI_EXECUTOR: 'inline', TOOL_OUTPUT_STORAGE: 'always' });
    admin = await product.client().register({ displayName: 'Root' });
    person = await settle(product, 'larkspur', '+8613800138001', admin);
    await settle(product, 'marigold', '+8613800138002', admin);
  }, 90_000);
  afterAll(() => product.close());

  const query = <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
    product.app.get(DataSource, { strict: false }).query(sql, values);
  const tables = async () =>
    (
      await query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables
         WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
      )
    ).map(({ name }) => name);

  async function exported(who: ApiClient): Promise<Line[]> {
    const response = await who.raw('/auth/me/export');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/x-ndjson');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const text = await response.text();
    expect(text.endsWith('\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  }

  it('know every table: it is exported, or there is a reason why not', async () => {
    const registered = product.app.get(PersonalData, { strict: false }).tables();
    const exportedTables = new Set(registered.map(({ table }) => table));
    const unexplained = (await tables()).filter(
      (name) => !exportedTables.has(name) && !(name in NOT_EXPORTED),
    );
    expect(unexplained).toEqual([]);
  });

  it('give everything of the person, and nothing of others, as lines that say whether they are all', async () => {
    const lines = await exported(person.person);
    const { kinds } = lines[0] as unknown as { kinds: string[] };
    expect(lines[0]).toMatchObject({ kind: 'manifest', userId: person.person.userId });
    const rows = lines.slice(1, -1);
    const counts = Object.fromEntries(
      kinds.map((kind) => [kind, rows.filter((row) => row.kind === kind).length]),
    );
    expect(lines.at(-1)).toEqual({ kind: 'counts', counts });
    for (const kind of [
      'account',
      'attachment',
      'attendee',
      'automation_grant',
      'calendar_feed',
      'contact',
      'event',
      'invitation',
      'issued_credential',
      'memory',
      'message',
      'run',
      'scheduled_task',
      'session',
      'thread',
      'tool_call',
    ]) {
      expect([kind, counts[kind]]).toEqual([kind, expect.any(Number)]);
      if (kind !== 'attendee') expect(counts[kind]).toBeGreaterThan(0);
    }
    const text = JSON.stringify(rows);
    expect(text).toContain('larkspur');
    expect(text).not.toContain('marigold');
    const file = rows.find(({ kind }) => kind === 'attachment');
    expect(Buffer.from(String(file?.content), 'base64').toString()).toContain('larkspur');
    const call = rows.find(({ kind }) => kind === 'tool_call');
    expect(call?.record).toMatchObject({ tool_name: 'project_cli' });
    for (const secret of [person.credential, person.refreshToken, person.feedToken, 'scrypt']) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/"(passwordHash|tokenHash)"/);
    expect((await product.client().raw('/auth/me/export')).status).toBe(401);
  });

  it('read page by page: more rows than one page are all there, once', async () => {
    await query(
      `INSERT INTO memory_history (fact_id, version, user_id, key, text, source, held_from, held_until, reason)
       SELECT fact_id, n, user_id, key, text, source, held_from, held_until, reason
       FROM memory_history, generate_series(1000, 1120) n
       WHERE user_id = $1 LIMIT 121`,
      [person.person.userId],
    );
    const [row] = await query<{ n: number }>(
      'SELECT count(*)::int AS n FROM memory_history WHERE user_id = $1',
      [person.person.userId],
    );
    const rows = (await exported(person.person)).filter(({ kind }) => kind === 'memory_history');
    expect(rows).toHaveLength(row?.n ?? -1);
    expect(new Set(rows.map(({ factId, version }) => JSON.stringify([factId, version]))).size).toBe(
      row?.n,
    );
  });

  /** Everything under DATA_DIR/objects, as text. */
  async function objects(): Promise<string[]> {
    const { DATA_DIR } = product.app.get<AppConfig>(APP_CONFIG, { strict: false });
    const entries = await readdir(DATA_DIR, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.pem'));
    return Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return `${path} ${await readFile(path, 'latin1')}`;
      }),
    );
  }

  it('leave nothing behind when the account is erased, in no table and no object', async () => {
    const { userId } = person.person;
    const before = await objects();
    expect(before.filter((object) => object.includes('larkspur')).length).toBeGreaterThan(0);
    const erased = await person.person.call('DELETE', '/auth/me', { password: PASSWORD });
    expect(erased.status).toBe(204);
    for (let look = 0; look < 200; look += 1) {
      const [row] = await query<{ n: number }>('SELECT count(*)::int AS n FROM object_deletions');
      if (row?.n === 0) break;
      await pause(50);
    }
    const found: string[] = [];
    for (const name of await tables()) {
      const [row] = await query<{ ids: number; words: number }>(
        `SELECT count(*) FILTER (WHERE strpos(t::text, $1) > 0)::int AS ids,
                count(*) FILTER (WHERE strpos(t::text, $2) > 0)::int AS words FROM "${name}" t`,
        [userId, 'larkspur'],
      );
      if (row && row.ids > 0) found.push(`${name} id`);
      if (row && row.words > 0) found.push(`${name} words`);
    }
    // The audit keeps that there was somebody of this id, and no word of theirs. An invitation keeps
    // the address and name that its owner wrote.
    const allowed = /^(audit_(entries|inbox) id|calendar_(events|attendees) words)$/;
    expect(found.filter((place) => !allowed.test(place))).toEqual([]);
    const after = await objects();
    expect(
      after.filter((object) => object.includes('larkspur') || object.includes(userId)),
    ).toEqual([]);
    expect(after.some((object) => object.includes('marigold'))).toBe(true);
    const [entry] = await query<{ content: string }>(
      `SELECT content FROM (
         SELECT content::text FROM audit_inbox UNION ALL SELECT content::text FROM audit_entries
       ) e WHERE content LIKE '%account_erased%'`,
    );
    expect(JSON.parse(entry?.content ?? '{}')).toMatchObject({
      actor: userId,
      details: { rows: { account: 1, thread: expect.any(Number) } },
    });
  });
});
