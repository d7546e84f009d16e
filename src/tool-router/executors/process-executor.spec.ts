import { describe, expect, it } from '@jest/globals';
import { isJsonObject } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import { toCliDocument } from '../cli-document.js';
import {
  answer,
  asked,
  direct,
  door,
  executors,
  never,
  recordOf,
  request,
  store,
  stored,
  useToolDoor,
} from './testing/executor-stage.js';

useToolDoor();

describe('ProcessExecutor', () => {
  it('gives the record of the router, which got the call, the credential and the context', async () => {
    const record = recordOf(request(), { items: [], count: 0 });
    answer(record);
    const { child } = await executors();
    expect(await child.execute(request(), never())).toEqual(record);
    expect(asked).toEqual([
      {
        headers: {
          authorization: 'Bearer credential',
          context: JSON.stringify({
            run_id: 'run_1',
            tool_call_id: 'call_1',
            locale: 'zh-CN',
            timezone: 'Asia/Shanghai',
          }),
        },
        body: {
          module: 'calendar',
          method: 'read',
          input: { mode: 'day', date: '2026-04-21' },
        },
      },
    ]);
    expect(direct).toEqual([]);
  });

  it.each([
    ['JSON that is none', { arguments: '{"module":' }],
    ['no JSON object', { arguments: '[]' }],
    ['nothing', { arguments: '' }],
    ['no method', { arguments: '{"module":"calendar"}' }],
    ['a module that is no string', { arguments: '{"module":1,"method":"read"}' }],
    ['a module like a flag', { arguments: '{"module":"--mode","method":"read"}' }],
    ['a method like a flag', { arguments: '{"module":"calendar","method":"-h"}' }],
    ['NUL', { arguments: '{"module":"a\\u0000","method":"read"}' }],
    ['a long name', { arguments: `{"module":"${'a'.repeat(70_000)}","method":"read"}` }],
    ['an id that no header carries', { toolCallId: 'call 会' }],
    ['no credential', { credential: '' }],
    ['a credential with a newline', { credential: 'a\nb' }],
  ])('hands %s to the gateway as it is, without a child', async (_, more) => {
    const { child, inline } = await executors();
    const odd = request(more);
    const record = await child.execute(odd, never());
    expect(record).toEqual(await inline.execute(odd, never()));
    expect(direct).toHaveLength(2);
    expect(direct[0]).toEqual(direct[1]);
    expect(direct[0]).toMatchObject({ call: odd.arguments, door: 'agent' });
    expect(asked).toEqual([]);
  });

  it('tells a model that calls another function which one there is, through both executors', async () => {
    const { child, inline } = await executors();
    for (const executor of [child, inline]) {
      const record = await executor.execute(request({ name: 'shell' }), never());
      expect(record).toMatchObject({
        tool_name: 'project_cli',
        status: 'failure',
        error: { code: 'INVALID_TOOL_CALL', allowed: ['project_cli'], module: 'calendar' },
      });
    }
    expect(direct).toEqual([]);
  });

  it('makes the record of a refused credential, which no router keeps', async () => {
    const refused = recordOf(
      request(),
      new StewardError('CREDENTIAL_REVOKED', 'Revoked.', { allowed: ['x'], retryAfterMs: 5 }),
    );
    answer(refused, false);
    const { child } = await executors();
    const { started_at, finished_at, ...record } = await child.execute(request(), never());
    expect({ ...record, started_at: refused.started_at, finished_at: refused.finished_at }).toEqual(
      refused,
    );
    expect(started_at <= finished_at).toBe(true);
  });

  it('does not take the record of another call under the same id', async () => {
    const other = request({ arguments: '{"module":"calendar","method":"delete"}' });
    stored.set('usr_1 run_1 call_1', recordOf(other, { deleted: true }));
    answer(recordOf(request(), new StewardError('CONFLICT', 'Taken.')), false);
    const { child } = await executors();
    expect((await child.execute(request(), never())).error?.code).toBe('CONFLICT');
  });

  it('times out', async () => {
    door.reply = () => undefined;
    const { child } = await executors({ CLI_TIMEOUT_MS: '1000' });
    const record = await child.execute(request(), never());
    expect(record.error).toMatchObject({ code: 'TIMEOUT', retryable: true });
  });

  it('says TIMEOUT when the router only saw its caller leave', async () => {
    door.reply = (response) =>
      response.on('close', () =>
        stored.set(
          'usr_1 run_1 call_1',
          recordOf(request(), new StewardError('CANCELLED', 'Left.')),
        ),
      );
    const { child } = await executors({ CLI_TIMEOUT_MS: '1000' });
    expect((await child.execute(request(), never())).error?.code).toBe('TIMEOUT');
  });

  it('is cancelled with its run, and prefers what the router committed meanwhile', async () => {
    const record = recordOf(request(), { id: 'evt_1' });
    const controller = new AbortController();
    door.reply = (response) => {
      controller.abort();
      response.on('close', () => setTimeout(() => stored.set('usr_1 run_1 call_1', record), 200));
    };
    const { child } = await executors();
    expect(await child.execute(request(), controller.signal)).toEqual(record);
  });

  it('is CANCELLED when the router tells nothing', async () => {
    const controller = new AbortController();
    door.reply = () => controller.abort();
    const { child } = await executors();
    expect((await child.execute(request(), controller.signal)).error?.code).toBe('CANCELLED');
  });

  it('leaves a cancelled run to the gateway', async () => {
    const { child } = await executors();
    await child.execute(request(), AbortSignal.abort());
    expect(direct).toHaveLength(1);
  });

  it('caps the output of the child', async () => {
    answer(recordOf(request(), { text: 'x'.repeat(100_000) }), false);
    const { child } = await executors({ CLI_OUTPUT_MAX_BYTES: '2048' });
    expect((await child.execute(request(), never())).error?.code).toBe('OUTPUT_TOO_LARGE');
  });

  it.each([
    ['there is no server', { PROJECT_CLI_ENDPOINT: 'http://127.0.0.1:1' }],
    ['the endpoint is no server of ours', {}],
  ])('is DEPENDENCY_UNAVAILABLE when %s', async (_, env) => {
    door.reply = (response) => response.writeHead(404).end('<html>');
    const { child } = await executors(env);
    const record = await child.execute(request(), never());
    expect(record.error?.code).toBe('DEPENDENCY_UNAVAILABLE');
    expect(record.summary).toContain('查询日程失败');
  });

  it('does not claim a success whose record cannot be read', async () => {
    answer(recordOf(request(), { id: 'evt_1' }));
    store.fails = true;
    const { child } = await executors();
    expect((await child.execute(request(), never())).error?.code).toBe('DEPENDENCY_UNAVAILABLE');
  });

  it('runs calls of many runs side by side without mixing them', async () => {
    door.reply = (response) => {
      const last = asked[asked.length - 1];
      const context: unknown = JSON.parse(String(last?.headers.context));
      const id = isJsonObject(context) ? String(context.tool_call_id) : '';
      const own = request({ toolCallId: id });
      stored.set(`usr_1 run_1 ${id}`, recordOf(own, { id }));
      response.end(JSON.stringify(toCliDocument(recordOf(own, { id }))));
    };
    const { child } = await executors();
    const ids = ['call_a', 'call_b', 'call_c', 'call_d'];
    const records = await Promise.all(
      ids.map((toolCallId) => child.execute(request({ toolCallId }), never())),
    );
    expect(records.map((record) => record.result?.data)).toEqual(ids.map((id) => ({ id })));
  });
});
