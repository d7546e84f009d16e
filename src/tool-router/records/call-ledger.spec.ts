import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Gate, SampleModule, trace } from '../../../test/support/sample-module.js';
import { startTestRouter, type TestRouter } from '../../../test/support/tool-router.js';
import { Registration } from '../../auth/registration.js';
import { CredentialService } from '../../credential/credential.service.js';
import { ToolRecordStore } from './tool-record.store.js';

describe('the record of a call', () => {
  let router: TestRouter;
  let gate: Gate;

  beforeAll(async () => {
    router = await startTestRouter([SampleModule]);
    gate = router.app.get(Gate);
    await router.uow.manager.query('CREATE TABLE notes (text text)');
  });
  afterAll(() => router.close());

  afterEach(async () => {
    trace.length = 0;
    await router.uow.manager.query('DELETE FROM notes');
  });

  const notes = async (): Promise<string[]> => {
    const rows = await router.uow.manager.query<{ text: string }[]>('SELECT text FROM notes');
    return rows.map(({ text }) => text);
  };
  const named = (runId: string, toolCallId: string) => ({
    userId: router.principal.userId,
    runId,
    toolCallId,
  });
  const recorded = async (): Promise<number> => {
    const [row] = await router.uow.manager.query<{ n: number }[]>(
      'SELECT count(*)::int AS n FROM tool_calls',
    );
    return row?.n ?? 0;
  };

  it('commits a write with its record, and rolls a failed one back', async () => {
    const done = await router.call('sample', 'write', { times: 1, text: 'kept' });
    expect(done.status).toBe('success');
    const failed = await router.call('sample', 'write', { times: 9, text: 'not kept' });
    expect(failed.error?.code).toBe('CONFLICT');
    expect(await notes()).toEqual(['kept']);
  });

  it('lets a write that outlives its time change nothing', async () => {
    const settled = new Promise<void>((resolve) => (gate.open = resolve));
    const record = await router.call('sample', 'linger');
    await settled;
    expect(record.error?.code).toBe('TIMEOUT');
    expect(trace).toContain('could not write any more');
    expect(await notes()).toEqual([]);
  });

  it('does not wait for a statement that outlives the time of its method', async () => {
    const record = await router.call('sample', 'block');
    expect(record.error).toMatchObject({ code: 'TIMEOUT', retryable: true });
  });

  it('executes a call of a run once, also when it comes twice at the same time', async () => {
    const runId = 'run_once';
    const credential = await router.credential({ runId });
    const call = (input: object) =>
      router.call('sample', 'write', input, { credential, toolCallId: 'call_1' });
    const records = await Promise.all([1, 2, 3].map(() => call({ times: 1, text: 'once' })));
    records.push(await call({ times: 1, text: 'once' }));
    expect(await notes()).toEqual(['once']);
    for (const record of records) expect(record).toEqual(records[0]);
    expect(await router.app.get(ToolRecordStore).find(named(runId, 'call_1'))).toEqual(records[0]);
    const other = await call({ times: 1, text: 'another' });
    expect(other.error?.code).toBe('CONFLICT');
    expect(await notes()).toEqual(['once']);
  });

  it('tells the runs of two users apart, whatever they are called', async () => {
    const other = await router.app.get(Registration).register({
      email: 'other@example.com',
      password: 'correct horse battery',
      timezone: 'UTC',
      locale: 'en',
    });
    const theirs = { ...router.principal, userId: other.id, roles: [other.role] };
    const grant = { scope: ['*'], runId: 'run_same' };
    const { credential } = await router.app.get(CredentialService).exchange(theirs, grant);
    const own = await router.credential({ runId: 'run_same' });
    const records = await Promise.all([
      router.call(
        'sample',
        'write',
        { times: 1, text: 'mine' },
        { credential: own, toolCallId: 'c' },
      ),
      router.call('sample', 'write', { times: 1, text: 'theirs' }, { credential, toolCallId: 'c' }),
    ]);
    expect(records.map(({ status }) => status)).toEqual(['success', 'success']);
    expect((await notes()).toSorted()).toEqual(['mine', 'theirs']);
    const store = router.app.get(ToolRecordStore);
    expect(await store.find(named('run_same', 'c'))).toEqual(records[0]);
    expect(await store.find({ ...named('run_same', 'c'), userId: other.id })).toEqual(records[1]);
  });

  it('reads back the record of a call to the byte', async () => {
    const runId = 'run_bytes';
    const credential = await router.credential({ runId });
    const record = await router.call(
      'sample',
      'echo',
      { times: 1, text: '日程 \u2028 "q"' },
      { credential, toolCallId: 'c' },
    );
    const stored = await router.app.get(ToolRecordStore).find(named(runId, 'c'));
    expect(JSON.stringify(stored)).toBe(JSON.stringify(record));
  });

  it('makes one record of every outcome, also of malformed and unknown calls', async () => {
    const before = await recorded();
    const outcomes = await Promise.all([
      router.call('sample', 'echo', { times: 1 }),
      router.call('sample', 'echo', { times: 'many' }),
      router.call('sample', 'fail', { times: 1 }),
      router.call('nothing', 'here'),
      router.call('sample', 'ech'),
      router.call('sample', 'echo', null),
      router.call('sample', 'echo', { token: 'x' }),
    ]);
    expect(outcomes.map(({ error }) => error?.code ?? 'success')).toEqual([
      'success',
      'INVALID_ACTION_INPUT',
      'INTERNAL',
      'MODULE_NOT_FOUND',
      'METHOD_NOT_FOUND',
      'INVALID_TOOL_CALL',
      'CREDENTIAL_IN_INPUT',
    ]);
    expect(await recorded()).toBe(before + outcomes.length);
    expect(outcomes[4]?.error?.did_you_mean).toBe('sample.echo');
  });
});
