import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AuditRetention } from '../../src/audit/audit-retention.js';
import { AuditSealer } from '../../src/audit/audit-sealer.js';
import { AuditTrail } from '../../src/audit/audit-trail.js';
import type { ChainStart } from '../../src/audit/chain-check.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import type { ApiClient } from '../support/api-client.js';
import { verifyLines, verifyTrail } from '../support/audit-probe.js';
import { startAuthApp } from '../support/auth-app.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import type { TestApp } from '../support/test-app.js';
import type { TestClock } from '../support/test-clock.js';

// Defended in: the triggers of migrations/1796000000025-audit.ts, src/audit/audit-sealer.ts (chain and
// seals), src/audit/chain-check.ts (what finds a change).
describe('the audit cannot be changed unnoticed', () => {
  let server: TestApp;
  let clock: TestClock;
  let admin: ApiClient;
  let sealer: AuditSealer;

  beforeAll(async () => {
    const started = await startAuthApp([AuthModule], { AUDIT_RETENTION_DAYS: '30' });
    ({ server, clock } = started);
    admin = await started.api.register();
    sealer = server.app.get(AuditSealer);
  });
  afterAll(() => server.close());

  const sql = <T = unknown>(text: string, parameters?: unknown[]): Promise<T[]> =>
    server.app.get(DataSource, { strict: false }).query(text, parameters);

  /** What somebody can do who is the database's owner. */
  const tamper = (statement: string): Promise<void> =>
    server.app.get(DataSource, { strict: false }).transaction(async (manager) => {
      await manager.query('SELECT pg_advisory_xact_lock(7203148)');
      const tables = ['audit_inbox', 'audit_entries', 'audit_seals'];
      for (const table of tables) await manager.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      await manager.query(statement);
      for (const table of tables) await manager.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    });

  /** `work` while nothing is sealed. */
  async function unsealed(work: () => Promise<void>): Promise<void> {
    const session = server.app.get(DataSource, { strict: false }).createQueryRunner();
    try {
      await session.query('SELECT pg_advisory_lock(7203148)');
      await work();
    } finally {
      await session.query('SELECT pg_advisory_unlock(7203148)');
      await session.release();
    }
  }

  const record = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      await server.app.get(AuditTrail, { strict: false }).record({
        kind: 'policy_changed',
        actor: admin.userId,
        subject: String(n),
        outcome: 'success',
      });
    }
    await sealer.seal();
  };

  const verify = (options: { expect?: ChainStart } = {}) =>
    verifyTrail(server.app, { ...options, now: clock.now() });

  const exported = async (query = ''): Promise<string[]> => {
    const response = await admin.raw(`/admin/audit/export${query}`);
    expect(response.status).toBe(200);
    return (await response.text()).trimEnd().split('\n');
  };
  const check = (lines: string[]) => verifyLines(server.app, lines);

  it('refuses to change, remove or empty what is recorded', async () => {
    await record(3);
    await unsealed(async () => {
      await sql(`INSERT INTO audit_inbox VALUES ('aud_by_hand', '{}', 'none')`);
      for (const statement of [
        `UPDATE audit_entries SET actor = 'somebody'`,
        'DELETE FROM audit_entries',
        'TRUNCATE audit_entries',
        `UPDATE audit_seals SET hash = 'x'`,
        'DELETE FROM audit_seals',
        `UPDATE audit_inbox SET content = '[]'`,
        'DELETE FROM audit_inbox',
        'TRUNCATE audit_inbox',
      ]) {
        await expect(sql(statement)).rejects.toThrow('The audit is append-only');
      }
    });
  });

  it('seals what no server wrote as just that, and goes on', async () => {
    await record(1);
    const { found } = await verify();
    expect(found).toEqual([expect.objectContaining({ kind: 'unattested' })]);
    // What is in the chain cannot be brought in again.
    const [before] = await sql<{ n: string }>('SELECT count(*) AS n FROM audit_entries');
    await sql(`INSERT INTO audit_inbox SELECT id, content, 'x' FROM audit_entries LIMIT 2`);
    await sealer.seal();
    expect(await sql('SELECT count(*) AS n FROM audit_entries')).toEqual([before]);
    expect(await sql('SELECT id FROM audit_inbox')).toEqual([]);
  });

  describe('of an untouched trail', () => {
    let head: { seq: number; hash: string };

    beforeEach(async () => {
      await tamper('DELETE FROM audit_inbox; DELETE FROM audit_entries; DELETE FROM audit_seals');
      await record(4);
      await record(3);
      const whole = await verify();
      expect(whole).toMatchObject({ found: [], entries: 7, waiting: 0 });
      head = whole.head;
    });

    const WHERE = 'WHERE seq = 3';
    it.each([
      [
        'a changed content',
        `UPDATE audit_entries SET content = replace(content, 'success', 'failure') ${WHERE}`,
        'changed',
      ],
      ['a changed column', `UPDATE audit_entries SET actor = 'usr_innocent' ${WHERE}`, 'changed'],
      ['a changed mark', `UPDATE audit_entries SET attested = NOT attested ${WHERE}`, 'changed'],
      ['a deleted row', `DELETE FROM audit_entries ${WHERE}`, 'missing'],
      [
        'two rows swapped',
        `UPDATE audit_entries SET seq = CASE seq WHEN 3 THEN -4 ELSE -3 END WHERE seq IN (3, 4); UPDATE audit_entries SET seq = -seq WHERE seq < 0`,
        'changed',
      ],
      [
        'an inserted row',
        `UPDATE audit_entries SET seq = -seq - 1 WHERE seq >= 3; UPDATE audit_entries SET seq = -seq WHERE seq < 0; INSERT INTO audit_entries SELECT 3, 'aud_new', at, kind, actor, subject, run_id, content, attested, prev_hash, hash FROM audit_entries WHERE seq = 2`,
        'changed',
      ],
      [
        'an added row',
        `INSERT INTO audit_entries SELECT 8, 'aud_new', at, kind, actor, subject, run_id, content, attested, hash, hash FROM audit_entries WHERE seq = 7`,
        'unsealed',
      ],
      ['the end cut off', 'DELETE FROM audit_entries WHERE seq > 6', 'truncated'],
      ['a deleted seal', 'DELETE FROM audit_seals WHERE seq = 4', 'missing_seal'],
      ['the last seal deleted', 'DELETE FROM audit_seals WHERE seq = 7', 'unsealed'],
      [
        'a changed seal',
        `UPDATE audit_seals SET sealed_at = sealed_at - interval '1 hour'`,
        'bad_seal',
      ],
      [
        'a beginning removed without a checkpoint',
        'DELETE FROM audit_entries WHERE seq <= 4; DELETE FROM audit_seals WHERE seq = 4',
        'missing',
      ],
      [
        'a forged checkpoint',
        `DELETE FROM audit_entries WHERE seq <= 4; UPDATE audit_seals SET kind = 'checkpoint' WHERE seq = 4`,
        'bad_seal',
      ],
    ])('finds %s', async (_what, statement, kind) => {
      await tamper(statement);
      const { found } = await verify();
      expect(found.map((finding) => finding.kind)).toContain(kind);
    });

    it('finds an end that was cut off with its seals by the head that somebody noted', async () => {
      await tamper(
        'DELETE FROM audit_entries WHERE seq > 4; DELETE FROM audit_seals WHERE seq > 4',
      );
      expect((await verify()).found).toEqual([]);
      expect((await verify({ expect: head })).found).toEqual([
        expect.objectContaining({ kind: 'truncated', seq: 7 }),
      ]);
    });

    it('tells of entries that wait for their seal for too long', async () => {
      await unsealed(async () => {
        await server.app
          .get(AuditTrail, { strict: false })
          .record({ kind: 'sign_in', actor: admin.userId, outcome: 'success' });
        clock.advance(60);
        const { found, waiting } = await verify();
        expect(waiting).toBe(1);
        expect(found).toEqual([expect.objectContaining({ kind: 'backlog' })]);
      });
    });

    it('exports what can be checked without the database', async () => {
      const lines = await exported();
      expect(await check(lines)).toEqual([]);
      expect(lines.filter((line) => line.includes('"type":"entry"'))).toHaveLength(7);
      const changed = lines.map((line, n) => (n === 3 ? line.replace('success', 'failure') : line));
      expect((await check(changed)).map(({ kind }) => kind)).toContain('changed');
      expect(await check(lines.filter((_line, n) => n !== 3))).not.toEqual([]);
      expect(await check(lines.slice(0, -1))).toEqual([
        expect.objectContaining({ kind: 'truncated' }),
      ]);
      expect(await check(['{"type":"audit"}'])).toEqual([
        expect.objectContaining({ kind: 'malformed' }),
      ]);
      // An export goes on where one ended: its own entry is the only one since.
      const next = await exported(`?after=${head.seq}`);
      expect(await check(next)).toEqual([]);
      expect(next.join()).toContain('data_exported');
      expect(await admin.get('/admin/audit/export?after=999')).toMatchObject({ status: 400 });
    });

    it('exports a selection, page by page of the database', async () => {
      await record(600);
      const lines = await exported('?kind=policy_changed&subject=1');
      expect(await check(lines)).toEqual([]);
      expect(lines).toHaveLength(2 + 3);
      const all = await exported();
      expect(await check(all)).toEqual([]);
      expect(all.filter((line) => line.includes('"type":"entry"')).length).toBeGreaterThan(607);
    });

    it('shows pages to admins, newest first', async () => {
      const first = await admin.get('/admin/audit?limit=3&kind=policy_changed');
      expect(first.body).toMatchObject({ items: [{ seq: 7 }, { seq: 6 }, { seq: 5 }] });
      const rest = await admin.get(
        `/admin/audit?limit=200&kind=policy_changed&cursor=${String(first.body.nextCursor)}`,
      );
      expect(rest.body).toMatchObject({ items: [{ seq: 4 }, {}, {}, {}], nextCursor: null });
      const later = new Date(clock.now().getTime() + 60_000).toISOString();
      const none = await admin.get(`/admin/audit?from=${encodeURIComponent(later)}`);
      expect(none.body).toMatchObject({ items: [] });
      for (const query of ['cursor=x', 'kind=dance', 'from=today', 'limit=0', 'after=1']) {
        expect(await admin.get(`/admin/audit?${query}`)).toMatchObject({ status: 400 });
      }
      for (const never of [
        '2026-02-31T00:00:00Z',
        '0000-01-01T00:00:00Z',
        '2026-01-01T24:01:00Z',
      ]) {
        for (const path of ['/admin/audit', '/admin/audit/export']) {
          const { status, body } = await admin.get(`${path}?from=${never}`);
          expect({ status, body }).toMatchObject({
            status: 400,
            body: { issues: [{ path: 'from' }] },
          });
        }
      }
      const farOffset = encodeURIComponent('2026-01-01T00:00:00+23:59');
      expect(await admin.get(`/admin/audit?from=${farOffset}`)).toMatchObject({ status: 200 });
    });

    it('removes what is old behind a checkpoint that can be checked', async () => {
      const retention = server.app.get(AuditRetention);
      expect(await retention.remove()).toBe(0);
      clock.advance(31 * 24 * 3600);
      await record(1);
      expect(await retention.remove()).toBe(7);
      await record(1);
      expect(await verify()).toMatchObject({ found: [], entries: 3 });
      const session = await admin.post('/auth/token', {
        email: admin.email,
        password: 'correct horse battery',
      });
      admin.token = String(session.body.accessToken);
      expect(await check(await exported())).toEqual([]);
      const [entry] = await sql<{ content: string }>(
        `SELECT content FROM audit_entries WHERE kind = 'audit_retention'`,
      );
      expect(JSON.parse(entry?.content ?? '')).toMatchObject({
        actor: 'system',
        details: { removed: 7, through: 7 },
      });
    });

    it('keeps old entries in which something was changed', async () => {
      await tamper(`UPDATE audit_entries SET actor = 'usr_innocent' WHERE seq = 2`);
      clock.advance(31 * 24 * 3600);
      expect(await server.app.get(AuditRetention).remove()).toBe(0);
      expect((await verify()).found).not.toEqual([]);
    });
  });

  it('loses and doubles nothing while several servers record and seal', async () => {
    await tamper('DELETE FROM audit_inbox; DELETE FROM audit_entries; DELETE FROM audit_seals');
    const trail = server.app.get(AuditTrail, { strict: false });
    const uow = server.app.get(UnitOfWork, { strict: false });
    let open: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    const late = uow.run(async () => {
      await trail.record({ kind: 'sign_in', actor: 'late', outcome: 'success' });
      await held;
    });
    await Promise.all(
      Array.from({ length: 40 }, async (_none, n) => {
        await trail.record({ kind: 'sign_in', actor: `usr_${n}`, outcome: 'success' });
        await sealer.seal();
      }),
    );
    open();
    await late;
    await sealer.seal();
    const rolledBack = uow.run(async () => {
      await trail.record({ kind: 'sign_in', actor: 'never', outcome: 'success' });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await sealer.seal();
    expect(await verify()).toMatchObject({ found: [], entries: 41 });
    expect(await sql(`SELECT seq FROM audit_entries WHERE actor IN ('late', 'never')`)).toEqual([
      { seq: '41' },
    ]);
  });
});
