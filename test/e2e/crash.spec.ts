import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pipelineFaults } from '../support/agui-pipeline.js';
import { ApiClient, type StreamFrame } from '../support/api-client.js';
import {
  chunk,
  startModelServer,
  type ModelReply,
  type ModelServer,
} from '../support/model-server.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';

const says = (content: string): ModelReply => ({
  lines: [chunk({ role: 'assistant', content }), chunk({}, 'stop'), '[DONE]'],
});
const hangsAfter = (content: string): ModelReply => ({
  lines: [chunk({ role: 'assistant', content })],
  end: 'hang',
});

/** A server with its embedded database is killed like by a power cut, and started again. */
describe('SIGKILL and start again', () => {
  let dataDir: string;
  let model: ModelServer;
  let server: ServerProcess;
  let person: ApiClient;

  const start = (): Promise<ServerProcess> =>
    startServerProcess({
      DATA_DIR: dataDir,
      PUBLIC_URL: 'http://steward.test',
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'scripted',
    });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'steward-crash-'));
    model = await startModelServer();
    server = await start();
    person = await new ApiClient(server.url, pipelineFaults).register();
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    await model.close();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('loses nothing a client had seen, and goes on with the run that was under way', async () => {
    model.replies.push(says('First answer.'), hangsAfter('Half of an'));
    const first = await person.say('one', 'crash-thread');

    await person.post('/agent/runs', { threadId: 'crash-thread', message: 'two' });
    const seen: StreamFrame[] = [];
    for await (const frame of person.frames('/agent/runs/crash-thread/events')) {
      seen.push(frame);
      if (frame.event.type === 'TEXT_MESSAGE_CONTENT') break;
    }

    model.replies.push(says('Half of an answer, and the rest.'));
    await server.kill();
    server = await start();
    const again = new ApiClient(server.url, pipelineFaults);
    again.token = person.token;

    const last = seen.at(-1)?.id ?? '';
    const rest: StreamFrame[] = [];
    const headers = { 'last-event-id': last };
    for await (const frame of again.frames('/agent/runs/crash-thread/events', { headers })) {
      rest.push(frame);
    }
    const all = [...first.frames, ...seen, ...rest];
    expect(all.map(({ id }) => Number(id))).toEqual(all.map((_frame, index) => index + 1));
    expect(rest.at(-1)?.event).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
    const terminal = [...seen, ...rest].filter(({ event }) =>
      /^RUN_(ERROR|FINISHED)$/.test(event.type),
    );
    expect(terminal).toHaveLength(1);

    const replay: StreamFrame[] = [];
    const fromStart = { 'last-event-id': '0' };
    for await (const frame of again.frames('/agent/runs/crash-thread/events', {
      headers: fromStart,
    })) {
      replay.push(frame);
    }
    expect(replay).toEqual(all);
    const history = await again.get('/agent/runs/crash-thread/history');
    const items = history.body.messages as { role: string; content: string }[];
    expect(items.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'one'],
      ['assistant', 'First answer.'],
      ['user', 'two'],
      ['assistant', 'Half of an answer, and the rest.'],
    ]);

    model.replies.push(says('Third answer.'));
    const third = await again.say('three', 'crash-thread');
    expect(third.frames.at(-1)?.event.type).toBe('RUN_FINISHED');
    expect(Number(third.frames[0]?.id)).toBe(all.length + 1);
  }, 120_000);
});
