import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/common/ids.js';
import { RunSupervisor } from '../../src/agent/runs/queue/run-supervisor.js';
import { HelpModule } from '../../src/modules/help/help.module.js';
import type { ToolAgentOutput } from '../../src/tool-output/tool-agent-output.js';
import { WhitelistService } from '../../src/whitelist/whitelist.service.js';
import { callsTool, says } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import { TTL_SECONDS, startAskingApp, type AskingApp } from '../support/asking-app.js';
import { loseAt, takeUp, untilLetGo } from '../support/lost-run.js';

const TOOLS = [
  {
    name: 'pickColour',
    description: 'Lets the person pick a colour.',
    parameters: {
      type: 'object',
      properties: { of: { type: 'string' }, shades: { type: 'integer' } },
      required: ['of'],
      additionalProperties: false,
    },
  },
  { name: 'show-map', description: 'Shows a map.', parameters: { type: 'object' } },
];
const pick = (of = 'wall') => ({ module: 'client', method: 'pickColour', input: { of } });
const map = { module: 'client', method: 'show-map', input: {} };
const list = { module: 'notes', method: 'list', input: {} };
const add = (text: string) => ({ module: 'notes', method: 'add', input: { text } });

interface Pending {
  toolCallId: string;
  name: string;
  input: object;
  expiresAt: string;
}

let app: AskingApp;
let person: ApiClient;

beforeAll(async () => {
  app = await startAskingApp(undefined, { TOOL_OUTPUT_MAX_BYTES: '65536' }, [HelpModule]);
  person = app.person;
}, 60_000);
afterAll(() => app.close());

const start = async (threadId: string, body: object = {}, by = person) => {
  const message = { message: 'go on', threadId, tools: TOOLS, ...body };
  const { status, body: answer } = await by.post('/agent/runs', message);
  if (status !== 202) throw new Error(JSON.stringify(answer));
  return finish(threadId);
};
/** Follows the thread's last run to its end. */
const finish = async (threadId: string) => {
  let last: Record<string, unknown> = {};
  for await (const { event } of person.frames(`/agent/runs/${threadId}/events`)) last = event;
  return last;
};
const pendingOf = (event: Record<string, unknown>) => (event['pendingCalls'] ?? []) as Pending[];
const answer = (threadId: string, toolResults: object[], by = person, more: object = {}) =>
  by.post('/agent/runs', { threadId, toolResults, ...more });
const records = (threadId: string) =>
  app.query<{ method: string; status: string; code: string | null; run_id: string }>(
    'SELECT method, status, code, run_id FROM tool_calls WHERE thread_id = $1 ORDER BY started_at, id',
    [threadId],
  );
const thread = () => newId('thr');

describe('a tool of a client', () => {
  it('is called, waits, is answered, and the agent goes on', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick()), says('Blue it is.')];
    const waits = await start(id);
    expect(waits).toMatchObject({ type: 'RUN_FINISHED', outcome: 'pending' });
    const [call] = pendingOf(waits);
    expect(call).toMatchObject({ name: 'pickColour', input: { of: 'wall' } });
    const runId = String(waits['runId']);
    expect((await person.get(`/agent/runs/${runId}`)).body).toMatchObject({
      status: 'waiting',
      pendingCalls: [call],
    });
    expect((await person.get(`/agent/runs/${id}/history`)).body['pendingCalls']).toEqual([call]);
    expect(await records(id)).toEqual([]);

    const answered = await answer(id, [{ toolCallId: call?.toolCallId, content: { hue: 'blue' } }]);
    expect(answered.status).toBe(202);
    expect(await finish(id)).toMatchObject({ outcome: 'success' });
    expect(await records(id)).toMatchObject([{ method: 'pickColour', status: 'success' }]);
    const items = await app.check(id);
    expect(items.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'go on'],
      ['tool', '{"status":"success","hue":"blue"}'],
      ['assistant', 'Blue it is.'],
    ]);
    expect(await app.status(runId)).toBe('succeeded');
    expect((await person.get(`/agent/runs/${id}/history`)).body['pendingCalls']).toEqual([]);
    // The model has one function, and sees its own call again.
    const shown = app.model.requests.at(-1)?.messages.at(-2);
    expect(shown).toMatchObject({
      role: 'assistant',
      toolCalls: [{ name: 'project_cli', arguments: JSON.stringify(pick()) }],
    });
  });

  it('is one of several, which are answered together or not at all', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick('wall'), list, map), says('Done.')];
    const waits = await start(id);
    const [wall, shown] = pendingOf(waits);
    expect(pendingOf(waits).map(({ name }) => name)).toEqual(['pickColour', 'show-map']);
    // What stands between them is done at once.
    expect((await records(id)).map(({ method }) => method)).toEqual(['list']);
    const some = await answer(id, [{ toolCallId: wall?.toolCallId, content: 'red' }]);
    expect(some).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ACTION_INPUT', issues: [{ expected: shown?.toolCallId }] },
    });
    expect((await person.get(`/agent/runs/${id}/history`)).body['pendingCalls']).toHaveLength(2);
    const all = await answer(id, [
      { toolCallId: shown?.toolCallId, content: '[1,2]' },
      { toolCallId: wall?.toolCallId, content: 'red' },
    ]);
    expect(all.status).toBe(202);
    await finish(id);
    const items = await app.check(id);
    expect(items.map(({ content }) => content)).toEqual([
      'go on',
      expect.stringContaining('notes'),
      '{"status":"success","data":"red"}',
      '{"status":"success","data":[1,2]}',
      'Done.',
    ]);
    // In the order of the calls, whichever came first.
    const results = app.model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
    expect(results?.map(({ content }) => content)).toEqual([
      '{"status":"success","data":"red"}',
      expect.stringContaining('notes'),
      '{"status":"success","data":[1,2]}',
    ]);
  });

  it('fails when its client says so, or gives too much', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick()), callsTool(pick('door')), says('Well.')];
    const [wall] = pendingOf(await start(id));
    await answer(id, [{ toolCallId: wall?.toolCallId, error: 'the picker is broken' }]);
    const [door] = pendingOf(await finish(id));
    const last = app.model.requests.at(-1)?.messages.at(-1)?.content;
    expect(JSON.parse(String(last))).toMatchObject({
      error: { code: 'DEPENDENCY_UNAVAILABLE', module: 'client', retryable: false },
    });
    expect(last).toContain('the picker is broken');
    // The tools of before are still there: a client need not name them again.
    expect(door).toMatchObject({ input: { of: 'door' } });
    await answer(id, [{ toolCallId: door?.toolCallId, content: 'x'.repeat(70_000) }]);
    await finish(id);
    expect((await records(id)).map(({ code }) => code)).toEqual([
      'DEPENDENCY_UNAVAILABLE',
      'OUTPUT_TOO_LARGE',
    ]);
    await app.check(id);
  });

  it('is given up when the person says something else', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick()), says('As you like.')];
    const waits = await start(id);
    app.model.requests.length = 0;
    expect(await start(id, { message: 'never mind' })).toMatchObject({ outcome: 'success' });
    const told = app.model.requests.at(-1)?.messages.map(({ content }) => content);
    expect(told?.at(-2)).toContain('CANCELLED');
    expect(told?.at(-1)).toBe('never mind');
    expect(await records(id)).toMatchObject([{ status: 'failure', code: 'CANCELLED' }]);
    const late = await answer(id, [{ toolCallId: pendingOf(waits)[0]?.toolCallId, content: 'x' }]);
    expect(late).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await app.check(id);
  });

  it('expires, and leaves the thread free', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick())];
    const waits = await start(id);
    app.clock.advance(TTL_SECONDS + 1);
    await app.app.get(RunSupervisor, { strict: false }).sweep(false);
    expect(await app.status(String(waits['runId']))).toBe('failed');
    expect(await records(id)).toMatchObject([{ status: 'failure', code: 'TIMEOUT' }]);
    expect((await person.get(`/agent/runs/${id}/history`)).body['pendingCalls']).toEqual([]);
    const late = await answer(id, [{ toolCallId: pendingOf(waits)[0]?.toolCallId, content: 'x' }]);
    expect(late.body).toMatchObject({ code: 'CONFLICT' });
    await app.check(id);
    app.model.turns = [says('Hello.')];
    expect(await start(id)).toMatchObject({ outcome: 'success' });
  });

  it('whose answer comes just too late is told to the model as such', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick()), says('Too late.')];
    const [call] = pendingOf(await start(id));
    app.clock.advance(TTL_SECONDS + 1);
    expect(await answer(id, [{ toolCallId: call?.toolCallId, content: 'x' }])).toMatchObject({
      status: 202,
    });
    await finish(id);
    expect(await records(id)).toMatchObject([{ code: 'TIMEOUT' }]);
    await app.check(id);
  });

  it('is over when its run is cancelled', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick(), map)];
    const waits = await start(id);
    const cancelled = await person.post(`/agent/runs/${String(waits['runId'])}/cancel`, {});
    expect(cancelled.body).toMatchObject({ status: 'cancelled' });
    expect(await records(id)).toMatchObject([{ code: 'CANCELLED' }, { code: 'CANCELLED' }]);
    await app.check(id);
  });

  it('goes with its thread', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick())];
    const waits = await start(id);
    expect(await person.call('DELETE', `/agent/threads/${id}`)).toMatchObject({ status: 204 });
    const late = await answer(id, [{ toolCallId: pendingOf(waits)[0]?.toolCallId, content: 'x' }]);
    expect(late).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await app.query('SELECT 1 FROM agent_runs WHERE thread_id = $1', [id])).toEqual([]);
  });
});

describe('a call of a tool of a client', () => {
  const resultOf = async (turn: object[], body: object = {}) => {
    const id = thread();
    app.model.turns = [callsTool(...turn), says('Well.')];
    expect(await start(id, body)).toMatchObject({ outcome: 'success' });
    const events = await app.events(id);
    const names = events.flatMap((event) =>
      event.type === 'TOOL_CALL_START' ? [event.toolCallName] : [],
    );
    // Nobody but the server may take such a call for one to carry out.
    expect(new Set(names)).toEqual(new Set(['project_cli']));
    await app.check(id);
    return events.flatMap((event) => (event.type === 'TOOL_CALL_RESULT' ? [event.tool.error] : []));
  };

  it('is checked like any other', async () => {
    const wrong = { module: 'client', method: 'pickColour', input: { of: 1, colour: 'x' } };
    const [invalid, unknown, secret, elsewhere] = await resultOf([
      wrong,
      { module: 'client', method: 'pickColor', input: {} },
      { ...pick(), input: { of: 'x', token: 'y' } },
      { module: 'clint', method: 'pickColour', input: {} },
    ]);
    expect(invalid).toMatchObject({
      code: 'INVALID_ACTION_INPUT',
      issues: [{ path: 'colour' }],
      input_schema: { of: 'string', shades: 'integer optional' },
    });
    expect(unknown).toMatchObject({
      code: 'METHOD_NOT_FOUND',
      did_you_mean: 'client.pickColour',
      allowed: ['client.pickColour', 'client.show-map'],
    });
    expect(secret?.code).toBe('CREDENTIAL_IN_INPUT');
    expect(elsewhere).toMatchObject({ code: 'MODULE_NOT_FOUND', did_you_mean: 'client' });
  });

  it('is repaired like any other, and the client gets it so', async () => {
    const id = thread();
    app.model.turns = [
      callsTool({ module: 'client', method: 'pickColour', input: { of: 1, shades: '3' } }),
      says('Done.'),
    ];
    const [call] = pendingOf(await start(id));
    expect(call?.input).toEqual({ of: '1', shades: 3 });
    const events = await app.events(id);
    expect(events.find(({ type }) => type === 'TOOL_CALL_START')).toMatchObject({
      toolCallName: 'pickColour',
      client: true,
    });
    expect(events.find(({ type }) => type === 'TOOL_CALL_ARGS')).toMatchObject({
      delta: '{"of":"1","shades":3}',
    });
    await answer(id, [{ toolCallId: call?.toolCallId, content: 'x' }]);
    await finish(id);
    const [row] = await app.query<{ record: { repairs: object[] } }>(
      'SELECT record FROM tool_calls WHERE thread_id = $1',
      [id],
    );
    expect(row?.record.repairs).toHaveLength(2);
  });

  it('is nobody else’s: a run that has no tools knows no such module', async () => {
    const [error] = await resultOf([pick()], { tools: [] });
    expect(error?.code).toBe('MODULE_NOT_FOUND');
    expect(JSON.stringify(app.model.requests.at(-1)?.tools)).not.toContain('client:');
    expect(error?.allowed).not.toContain('client');
  });

  it('counts as one of those that a run may repeat', async () => {
    const id = thread();
    app.model.turns = [callsTool(...Array.from({ length: 40 }, () => map))];
    expect(await start(id)).toMatchObject({ type: 'RUN_ERROR', code: 'LIMIT_EXCEEDED' });
    await app.check(id);
  });
});

describe('the whitelist of clients’ tools', () => {
  const withPolicy = async (chat: object, work: () => Promise<void>) => {
    const whitelist = app.app.get(WhitelistService, { strict: false });
    const before = await whitelist.current();
    await whitelist.replace({ profiles: { chat } }, before.version, person.userId);
    try {
      await work();
    } finally {
      const { version } = await whitelist.current();
      const { profiles, roles, users } = before.document;
      await whitelist.replace({ profiles, roles, users }, version, person.userId);
    }
  };
  const seen = async (id: string) => {
    const help = { module: 'help', method: 'methods', input: { module: 'client' } };
    app.model.turns = [callsTool(help), says('Done.')];
    await start(id);
    return app.model.requests.at(-1)?.messages.at(-1)?.content ?? '';
  };

  it('is one decision for listing and calling', async () => {
    const id = thread();
    expect(await seen(id)).toContain('"show-map"');
    await withPolicy({ allow: ['*'], deny: ['client.show-map'] }, async () => {
      const listed = await seen(id);
      expect(listed).toContain('"pickColour"');
      expect(listed).not.toContain('show-map');
      app.model.turns = [callsTool(map), says('Well.')];
      await start(id);
      const refused = app.model.requests.at(-1)?.messages.at(-1)?.content;
      expect(refused).toContain('METHOD_NOT_ALLOWED');
    });
    await withPolicy({ allow: ['notes.*', 'help.*'] }, async () => {
      expect(await seen(id)).toContain('MODULE_NOT_FOUND');
    });
    await app.check(id);
  });

  it('has an approval before the client gets the call', async () => {
    await withPolicy({ allow: ['*'], ask: ['client.pickColour'] }, async () => {
      const id = thread();
      app.model.turns = [callsTool(pick()), says('Blue.')];
      const asks = await start(id);
      expect(asks).toMatchObject({
        outcome: 'interrupt',
        interrupts: [{ metadata: { module: 'client', method: 'pickColour' } }],
      });
      expect(pendingOf(asks)).toEqual([]);
      const [start_] = (await app.events(id)).filter(({ type }) => type === 'TOOL_CALL_START');
      // No stock client may have a handler run before the person has agreed.
      expect(start_).toMatchObject({ toolCallName: 'project_cli' });
      const { events } = await app.answer(id, { approved: true });
      const [call] = pendingOf({ ...events.at(-1) });
      expect(call).toMatchObject({ name: 'pickColour', input: { of: 'wall' } });
      const [granted] = await app.query<{ id: string; used: boolean }>(
        'SELECT id, consumed_at IS NOT NULL AS used FROM interrupts WHERE thread_id = $1',
        [id],
      );
      expect(granted?.used).toBe(true);
      await answer(id, [{ toolCallId: call?.toolCallId, content: 'blue' }]);
      expect(await finish(id)).toMatchObject({ outcome: 'success' });
      expect((await records(id)).map(({ status }) => status)).toEqual(['success']);
      const [row] = await app.query<{ record: ToolAgentOutput }>(
        'SELECT record FROM tool_calls WHERE thread_id = $1',
        [id],
      );
      const hash: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
      expect(row?.record.approval).toEqual({ interrupt_id: granted?.id, input_hash: hash });
      await app.check(id);
    });
  });

  it.each([
    ['as it was asked', undefined],
    ['as the person made it', { of: 'door' }],
  ])('is found again by who takes the run up before the client was told, %s', async (_, edited) => {
    await withPolicy({ allow: ['*'], ask: ['client.pickColour'] }, async () => {
      const id = thread();
      app.model.turns = [callsTool(pick()), says('Blue.')];
      await start(id);
      const [asked] = await app.pending(id);
      const payload = { approved: true, ...(edited && { editedArgs: edited }) };
      const lost = loseAt([app], { at: 'before', event: ({ type }) => type === 'RUN_FINISHED' });
      const went = await person.post('/agent/runs', {
        threadId: id,
        resume: [{ interruptId: asked?.id, status: 'resolved', payload }],
      });
      await lost;
      await untilLetGo([app], String(went.body['runId']));
      const used = await app.query<{ at: Date | null }>(
        'SELECT consumed_at AS at FROM interrupts WHERE thread_id = $1',
        [id],
      );
      expect(used).toEqual([{ at: expect.any(Date) }]);
      await takeUp(app);
      const waits = await finish(id);
      expect(waits).toMatchObject({ outcome: 'pending' });
      const [call, ...others] = pendingOf(waits);
      expect(call).toMatchObject({ input: edited ?? { of: 'wall' } });
      expect(others).toEqual([]);
      const interrupts = await app.query<{ id: string; at: Date | null }>(
        'SELECT id, consumed_at AS at FROM interrupts WHERE thread_id = $1',
        [id],
      );
      expect(interrupts).toEqual([{ id: asked?.id, ...used[0] }]);
      await answer(id, [{ toolCallId: call?.toolCallId, content: 'blue' }]);
      expect(await finish(id)).toMatchObject({ outcome: 'success' });
      const made = await app.query<{ record: ToolAgentOutput }>(
        'SELECT record FROM tool_calls WHERE thread_id = $1',
        [id],
      );
      expect(made).toMatchObject([{ record: { approval: { interrupt_id: asked?.id } } }]);
      await app.check(id);
    });
  });
});

describe('an approval beside a call of a client', () => {
  it('is answered first, and the client then', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick(), add('a'), map, list), says('Done.')];
    const asks = await start(id);
    expect(asks).toMatchObject({ outcome: 'interrupt' });
    expect(pendingOf(asks).map(({ name }) => name)).toEqual(['pickColour', 'show-map']);
    const calls = pendingOf(asks).map(({ toolCallId }) => ({ toolCallId, content: 'x' }));
    expect(await answer(id, calls)).toMatchObject({
      status: 409,
      body: { issues: [{ path: 'resume' }, {}, {}] },
    });
    const { events } = await app.answer(id, { approved: true });
    expect(events.at(-1)).toMatchObject({ outcome: 'pending' });
    expect(pendingOf({ ...events.at(-1) })).toEqual(pendingOf(asks));
    expect(await app.notes()).toEqual(['a']);
    expect(await answer(id, calls)).toMatchObject({ status: 202 });
    expect(await finish(id)).toMatchObject({ outcome: 'success' });
    await app.check(id);
    expect((await records(id)).map(({ method }) => method).toSorted()).toEqual(
      ['add', 'list', 'pickColour', 'show-map'].toSorted(),
    );
    await app.query('DELETE FROM notes');
  });

  it('is answered together with it', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick(), add('b')), says('Done.')];
    const asks = await start(id);
    const resume = (await app.pending(id)).map(({ id: interruptId }) => ({
      interruptId,
      status: 'resolved',
      payload: { approved: true },
    }));
    const results = pendingOf(asks).map(({ toolCallId }) => ({ toolCallId, content: 'x' }));
    expect(await answer(id, results, person, { resume })).toMatchObject({ status: 202 });
    expect(await finish(id)).toMatchObject({ outcome: 'success' });
    expect(await app.notes()).toEqual(['b']);
    await app.check(id);
    await app.query('DELETE FROM notes');
  });

  it('is given up with it when the person says something else', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick(), add('c')), says('Fine.')];
    await start(id);
    await start(id, { message: 'no' });
    expect(await app.notes()).toEqual([]);
    expect((await records(id)).map(({ code }) => code)).toEqual(['CANCELLED']);
    await app.check(id);
  });
});

describe('answers of clients', () => {
  it('count once, also when two come at the same time', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick()), says('Done.')];
    const [call] = pendingOf(await start(id));
    const both = await Promise.all(
      ['red', 'blue'].map((content) => answer(id, [{ toolCallId: call?.toolCallId, content }])),
    );
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([202, 409]));
    await finish(id);
    expect(await records(id)).toHaveLength(1);
    const won = both.findIndex(({ status }) => status === 202);
    const content = ['red', 'blue'][won];
    // The same again is the same run; another one is too late.
    const again = await answer(id, [{ toolCallId: call?.toolCallId, content }]);
    expect(again).toMatchObject({ status: 202, body: { runId: both[won]?.body['runId'] } });
    const other = await answer(id, [{ toolCallId: call?.toolCallId, content: 'green' }]);
    expect(other).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    await app.check(id);
  });

  it('are those of the person in the thread, and carry no credential', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick()), says('Done.')];
    const [call] = pendingOf(await start(id));
    const results = [{ toolCallId: call?.toolCallId, content: 'x' }];
    const stranger = await app.client().register();
    const gone = { status: 404, body: { code: 'NOT_FOUND' } };
    expect(await answer(id, results, stranger)).toMatchObject(gone);
    expect(await answer(thread(), results)).toMatchObject(gone);
    expect(await answer(id, [{ toolCallId: 'call_other', content: 'x' }])).toMatchObject(gone);
    const escaped = String.raw`"Bea\u0072er abcdefghijklmnopq123"`;
    const bearer = 'Bearer abcdefghijklmnopq123';
    const twice = [...results, { toolCallId: call?.toolCallId, content: 'y' }];
    for (const wrong of [twice, [...results, { toolCallId: 'call_other', content: 'x' }]]) {
      expect(await answer(id, wrong)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_ACTION_INPUT', issues: [{ path: 'toolResults.1.toolCallId' }] },
      });
    }
    for (const content of [{ password: 'x' }, bearer, escaped, '{"token":"t"}']) {
      const refused = await answer(id, [{ toolCallId: call?.toolCallId, content }]);
      expect(refused).toMatchObject({ status: 400, body: { code: 'CREDENTIAL_IN_INPUT' } });
      expect(JSON.stringify(refused.body)).not.toContain('abcdefgh');
    }
    // A client of AG-UI resends what it holds, of which only what counts is looked at.
    const tool = {
      id: 'gave',
      role: 'tool',
      toolCallId: call?.toolCallId,
      content: '{"token":"t"}',
    };
    const asked = { id: 'asked', role: 'user', content: 'go on' };
    const agui = { threadId: id, runId: 'run-agui', messages: [asked, tool], tools: TOOLS };
    expect(await person.post('/agent/runs', agui)).toMatchObject({
      status: 400,
      body: { code: 'CREDENTIAL_IN_INPUT', issues: [{ path: 'messages.1.content.token' }] },
    });
    expect(await records(id)).toEqual([]);
    expect(await answer(id, results)).toMatchObject({ status: 202 });
    await finish(id);
    await app.check(id);
  });

  it('survive the process that took them, and those that have not come do, too', async () => {
    const id = thread();
    app.model.turns = [callsTool(pick(), map)];
    // The process dies as it is about to say that it waits: another one says so.
    const lost = loseAt([app], { at: 'before', event: ({ type }) => type === 'RUN_FINISHED' });
    const started = await person.post('/agent/runs', { threadId: id, message: 'x', tools: TOOLS });
    await lost;
    await untilLetGo([app], String(started.body['runId']));
    await takeUp(app);
    const waits = await finish(id);
    expect(pendingOf(waits).map(({ name }) => name)).toEqual(['pickColour', 'show-map']);

    app.model.turns = [says('Done.')];
    const gone = loseAt([app], { at: 'before', event: ({ type }) => type === 'TOOL_CALL_RESULT' });
    const results = pendingOf(waits).map(({ toolCallId }) => ({ toolCallId, content: 'kept' }));
    const answered = await answer(id, results);
    await gone;
    await untilLetGo([app], String(answered.body['runId']));
    await takeUp(app);
    expect(await finish(id)).toMatchObject({ outcome: 'success' });
    expect((await records(id)).map(({ status }) => status)).toEqual(['success', 'success']);
    const items = await app.check(id);
    expect(items.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      '{"status":"success","data":"kept"}',
      '{"status":"success","data":"kept"}',
    ]);
  });
});

describe('doors other than the run', () => {
  it('do not carry out a client’s tools, and do not have them', async () => {
    const id = thread();
    let seen: { own: object; others: object; help: object } | null = null;
    app.model.turns = [
      async function* () {
        const [request] = app.executor.requests.slice(-1);
        const call = async (credential: string, module: string, method: string, input = {}) => {
          const headers = { authorization: `Bearer ${credential}` };
          const body = { module, method, input };
          return (await person.call('POST', '/tools/project_cli', body, headers)).body;
        };
        const own = request?.credential ?? '';
        const { body } = await person.post('/credentials', { scope: ['*'] });
        const others = String(body['credential']);
        seen = {
          own: await call(own, 'client', 'pickColour', { of: 'x' }),
          help: await call(own, 'help', 'describe', { module: 'client', method: 'show-map' }),
          others: await call(others, 'client', 'pickColour', { of: 'x' }),
        };
        yield* says('Done.');
      },
    ];
    app.model.turns.unshift(callsTool(list));
    expect(await start(id)).toMatchObject({ outcome: 'success' });
    expect(seen).toMatchObject({
      own: { ok: false, error: { code: 'FORBIDDEN' } },
      help: { ok: true, data: { method: 'show-map' } },
      others: { ok: false, error: { code: 'MODULE_NOT_FOUND' } },
    });

    await app.check(id);
  });
});
