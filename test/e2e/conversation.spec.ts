import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Temporal } from 'temporal-polyfill';
import { EventType } from '@ag-ui/core';
import type { ApiClient, StreamFrame } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';

const ZONE = 'Asia/Shanghai';

interface HistoryItem {
  id: string;
  role: string;
  content: string;
  module?: string;
  method?: string;
  status?: string;
  summary?: string;
  ui_schema?: unknown;
}

const typesOf = (frames: StreamFrame[]): string[] =>
  frames.map(({ event }) =>
    event.type.startsWith('STEP_') ? `${event.type}(${String(event.stepName)})` : event.type,
  );

/** The main job of the product, with the embedded defaults: offline planner, child processes. */
describe.each(['process', 'inline'])('a conversation (%s executor)', (executor) => {
  let product: Product;
  let person: ApiClient;

  beforeAll(async () => {
    product = await startProduct({ CLI_EXECUTOR: executor });
    person = await product.client().register({ timezone: ZONE, locale: 'zh-CN' });
  }, 60_000);
  afterAll(() => product.close());

  const history = async (threadId: string): Promise<HistoryItem[]> =>
    (await person.get(`/agent/runs/${threadId}/history`)).body.messages as HistoryItem[];

  it('creates the event that was asked for, streams it, stores it and replays the same card', async () => {
    const { threadId, frames } = await person.say('明天下午三点和 Amy 开项目会，一个小时');

    const types = typesOf(frames);
    expect(types[0]).toBe(EventType.RUN_STARTED);
    expect(types.at(-1)).toBe(EventType.RUN_FINISHED);
    for (const type of [
      'STEP_STARTED(intent)',
      'STEP_STARTED(execution)',
      'TOOL_CALL_RESULT',
      'STEP_STARTED(report)',
      'TEXT_MESSAGE_END',
    ]) {
      expect(types).toContain(type);
    }
    expect(frames.map(({ id }) => Number(id))).toEqual(frames.map((_frame, index) => index + 1));

    const live = frames.find(({ event }) => event.type === 'TOOL_CALL_RESULT')?.event;
    expect(live).toMatchObject({ toolName: 'project_cli', status: 'success', error: null });
    expect(live?.ui_schema).toEqual(expect.arrayContaining([expect.any(Object)]));

    const replayed = (await history(threadId)).find((item) => item.role === 'tool');
    expect(replayed).toMatchObject({
      id: live?.messageId,
      content: live?.content,
      summary: live?.summary,
      ui_schema: live?.ui_schema,
    });

    const tomorrow = Temporal.Now.plainDateISO(ZONE).add({ days: 1 }).toString();
    const listed = await person.get(`/calendar/events?date=${tomorrow}`);
    expect(listed.body.items).toMatchObject([
      {
        startAt: `${tomorrow}T15:00:00+08:00`,
        endAt: `${tomorrow}T16:00:00+08:00`,
        attendees: [{ name: 'Amy' }],
      },
    ]);
  });

  it('remembers in the second message what the first one did', async () => {
    const first = await person.say('Schedule a budget review tomorrow at 10am for 30 minutes');
    const second = await person.say('cancel it', first.threadId);
    const results = second.frames.filter(({ event }) => event.type === 'TOOL_CALL_RESULT');
    expect(results.at(-1)?.event).toMatchObject({
      status: 'success',
      args: { module: 'calendar', method: 'delete' },
    });
    const items = await history(first.threadId);
    expect(items.map((item) => item.role).filter((role) => role === 'user')).toHaveLength(2);
    const firstIdOfSecond = Number(second.frames[0]?.id);
    expect(firstIdOfSecond).toBe(first.frames.length + 1);
  });

  it('says honestly when it does not understand, and touches nothing', async () => {
    const { frames } = await person.say('Write me a poem about the sea in the style of Li Bai');
    for (const { event } of frames.filter((frame) => frame.event.type === 'TOOL_CALL_RESULT')) {
      expect(event.args).toMatchObject({ module: 'help' });
    }
    expect(typesOf(frames).at(-1)).toBe('RUN_FINISHED');
    const text = frames.map(({ event }) => event.delta ?? '').join('');
    expect(text.length).toBeGreaterThan(10);
  });

  it('resumes at every id without a gap or a repeat', async () => {
    const { threadId, frames } = await person.say('后天上午九点半和李雷开会');
    for (const after of [0, 1, Math.floor(frames.length / 2), frames.length - 1]) {
      const resumed: StreamFrame[] = [];
      const path = `/agent/runs/${threadId}/events`;
      const headers = { 'last-event-id': String(after) };
      for await (const frame of person.frames(path, { headers })) resumed.push(frame);
      expect(resumed).toEqual(frames.slice(after));
    }
    const nothing = await person.raw(`/agent/runs/${threadId}/events?after=${frames.length}`);
    expect(nothing.status).toBe(204);
  });

  it('shows nobody else what is in a thread', async () => {
    const { threadId, runId } = await person.say('What is on my calendar tomorrow?');
    const other = await product.client().register();
    for (const answer of [
      await other.get(`/agent/runs/${threadId}/events`),
      await other.get(`/agent/runs/${threadId}/history`),
      await other.get(`/agent/history?threadId=${threadId}`),
      await other.post(`/agent/runs/${runId}/cancel`, {}),
      await other.post('/agent/runs', { threadId, message: 'mine now' }),
      await other.call('DELETE', `/agent/threads/${threadId}`),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.body.code).toBe('NOT_FOUND');
    }
  });

  it('lets an admin take a method away from the next call', async () => {
    const admin = await product.client().register();
    const owner = await adminOf(product);
    const policy = await owner.get('/admin/whitelist');
    const users = { [admin.userId]: { deny: ['calendar.create'] } };
    await owner.call(
      'PUT',
      '/admin/whitelist',
      { ...policy.body, users },
      {
        'if-match': policy.headers.get('etag') ?? '',
      },
    );
    const { frames } = await admin.say('明天下午三点开会');
    const result = frames.find(({ event }) => event.type === 'TOOL_CALL_RESULT')?.event;
    expect(result).toMatchObject({ status: 'failure', error: { code: 'METHOD_NOT_ALLOWED' } });
    expect(typesOf(frames).at(-1)).toBe('RUN_FINISHED');
  });

  it('keeps credentials out of logs, events and history', async () => {
    const { threadId, frames } = await person.say('明天下午四点开会');
    const seen = JSON.stringify([frames, await history(threadId)]) + product.logs.join('\n');
    expect(seen).not.toMatch(/eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\./);
    expect(seen).not.toContain(person.token);
    expect(JSON.stringify(frames)).not.toContain('ui_hints');
  });

  /** The first account of the database signs in again. */
  async function adminOf(of: Product): Promise<ApiClient> {
    const client = of.client();
    const answer = await client.post('/auth/token', {
      email: person.email,
      password: 'correct horse battery',
    });
    client.token = String(answer.body.accessToken);
    return client;
  }
});
