import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { untilWaitedFor } from '../../test/support/row-hold.js';
import { SampleModule } from '../../test/support/sample-module.js';
import { startTestRouter, type TestRouter } from '../../test/support/tool-router.js';
import { CredentialService } from '../credential/credential.service.js';

/** The caller of a call over HTTP goes away while the call waits for a lock of the database. */
describe('a call whose caller leaves', () => {
  let router: TestRouter;
  let dataSource: DataSource;
  const call = { module: 'sample', method: 'write', input: { times: 1, text: 'once' } };

  beforeAll(async () => {
    router = await startTestRouter([SampleModule]);
    dataSource = router.app.get(DataSource);
    await dataSource.query('CREATE TABLE notes (text text)');
  });
  afterAll(() => router.close());
  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.query('DELETE FROM notes');
  });

  async function post(credential: string, toolCallId: string, signal?: AbortSignal) {
    const response = await fetch(`${router.url}/api/v1/tools/project_cli`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${credential}`,
        'content-type': 'application/json',
        'x-project-cli-context': JSON.stringify({ tool_call_id: toolCallId }),
      },
      body: JSON.stringify(call),
      ...(signal && { signal }),
    });
    return response.json();
  }

  /** Lets the caller go while its call waits. @param meanwhile before the call has what it waits for. */
  async function leave(
    credential: string,
    toolCallId: string,
    before: () => Promise<unknown>,
    meanwhile: () => void = () => undefined,
  ): Promise<void> {
    const invoked = jest.spyOn(router.gateway, 'invoke');
    const holder = dataSource.createQueryRunner();
    try {
      await holder.startTransaction();
      await holder.query('LOCK TABLE notes');
      const caller = new AbortController();
      const gone = post(credential, toolCallId, caller.signal).catch(() => 'gone');
      await untilWaitedFor(dataSource);
      await before();
      caller.abort();
      expect(await gone).toBe('gone');
      while (!invoked.mock.calls[0]?.[1].aborted) await delay(5);
      meanwhile();
      await holder.query('COMMIT');
    } finally {
      await holder.release();
    }
    await invoked.mock.results[0]?.value;
  }

  const nothing = () => Promise.resolve();
  const notes = () => dataSource.query<object[]>('SELECT text FROM notes');
  const codes = async (toolCallId: string): Promise<(string | null)[]> => {
    const sql = 'SELECT code FROM tool_calls WHERE tool_call_id = $1';
    const rows = await dataSource.query<{ code: string | null }[]>(sql, [toolCallId]);
    return rows.map(({ code }) => code);
  };

  it('is executed, once, for whoever goes on with its run', async () => {
    const credential = await router.credential({ runId: 'run_left' });
    await leave(credential, 'call_left', nothing);
    expect(await notes()).toEqual([]);
    expect(await codes('call_left')).toEqual([]);
    const answers = [await post(credential, 'call_left'), await post(credential, 'call_left')];
    expect(answers).toMatchObject([{ status: 'success' }, { status: 'success' }]);
    expect(await notes()).toEqual([{ text: 'once' }]);
    expect(await codes('call_left')).toEqual([null]);
  });

  it('is executed, once, for those who ask again before it has been rolled back', async () => {
    const credential = await router.credential({ runId: 'run_joined' });
    const again: Promise<unknown>[] = [];
    await leave(credential, 'call_joined', nothing, () => {
      again.push(post(credential, 'call_joined'), post(credential, 'call_joined'));
    });
    expect(await Promise.all(again)).toMatchObject([{ status: 'success' }, { status: 'success' }]);
    expect(await notes()).toEqual([{ text: 'once' }]);
    expect(await codes('call_joined')).toEqual([null]);
  });

  it('is cancelled when its run was', async () => {
    const credential = await router.credential({ runId: 'run_cancelled' });
    const { userId } = router.principal;
    const credentials = router.app.get(CredentialService);
    await leave(credential, 'call_cancelled', () => credentials.revokeRun(userId, 'run_cancelled'));
    expect(await notes()).toEqual([]);
    expect(await codes('call_cancelled')).toEqual(['CANCELLED']);
  });

  /** As whoever took the run up leaves it: it waits, and has given its credential back. */
  async function letWait(runId: string): Promise<void> {
    const { userId } = router.principal;
    await dataSource.query(
      `INSERT INTO agent_threads (id, user_id, title, last_seq, created_at, updated_at)
       VALUES ('thr_' || $1, $2, '', 0, now(), now())`,
      [runId, userId],
    );
    await dataSource.query(
      `INSERT INTO agent_runs (id, thread_id, user_id, message_id, status, profile, locale, timezone,
         request_hash, cancel_requested, lease_until, created_at, fair_at, open_calls, waiting_until)
       VALUES ($1, 'thr_' || $1, $2, 'msg_0', 'waiting', 'chat', 'en', 'UTC', '', false, now(), now(), now(),
         '[]', now() + interval '1 day')`,
      [runId, userId],
    );
    await router.app.get(CredentialService).revokeRun(userId, runId);
  }

  it('is broken off, not cancelled, when its run has come to wait in other hands', async () => {
    const credential = await router.credential({ runId: 'run_waits' });
    await leave(credential, 'call_waits', () => letWait('run_waits'));
    expect(await notes()).toEqual([]);
    expect(await codes('call_waits')).toEqual([]);
  });

  it('leaves nothing when it succeeds after its run has come to wait', async () => {
    const credential = await router.credential({ runId: 'run_late' });
    const holder = dataSource.createQueryRunner();
    try {
      await holder.startTransaction();
      await holder.query('LOCK TABLE notes');
      const late = post(credential, 'call_late');
      await untilWaitedFor(dataSource);
      await letWait('run_late');
      await holder.query('COMMIT');
      expect(await late).toMatchObject({ status: 'failure' });
    } finally {
      await holder.release();
    }
    expect(await notes()).toEqual([]);
    expect(await codes('call_late')).toEqual([]);
  });

  it('is cancelled when it belongs to no run', async () => {
    await leave(await router.credential(), 'call_alone', nothing);
    expect(await notes()).toEqual([]);
    expect(await codes('call_alone')).toEqual(['CANCELLED']);
  });
});
