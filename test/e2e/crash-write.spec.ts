import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AppEvent } from '../../src/events/app-event.js';
import { ChatFold } from '../../web/client/src/chat-fold.js';
import { pipelineFaults } from '../support/agui-pipeline.js';
import { ApiClient, type StreamFrame } from '../support/api-client.js';
import {
  callReply,
  startModelServer,
  textReply,
  type ModelServer,
} from '../support/model-server.js';
import { grammarFaults } from '../support/run-grammar.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';
import { TableHold, embeddedUrl } from '../support/table-hold.js';

/** Where the write stands when the server is killed. */
const CASES = [
  { moment: 'waits for its first row', holds: ['calendar_events'] },
  { moment: 'waits for its record, its rows written', holds: ['tool_calls'] },
  { moment: 'is done, and nobody was told', holds: ['tool_calls', 'agent_messages'] },
];

describe('SIGKILL while a call writes', () => {
  let dataDir: string;
  let model: ModelServer;
  let server: ServerProcess;
  let person: ApiClient;
  const held: TableHold[] = [];

  const start = async (): Promise<void> => {
    server = await startServerProcess({
      DATA_DIR: dataDir,
      PUBLIC_URL: 'http://steward.test',
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'scripted',
    });
    const { token } = person;
    person = new ApiClient(server.url, pipelineFaults);
    person.token = token;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'steward-crash-write-'));
    model = await startModelServer();
    person = new ApiClient('', pipelineFaults);
    await start();
    await person.register();
  }, 120_000);
  afterEach(async () => {
    for (const hold of held.splice(0)) await hold.release();
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  const frames = async (threadId: string, after: string): Promise<StreamFrame[]> => {
    const all: StreamFrame[] = [];
    const headers = { 'last-event-id': after };
    for await (const frame of person.frames(`/agent/runs/${threadId}/events`, { headers })) {
      all.push(frame);
    }
    return all;
  };
  /** What a client sees until the call is under way. */
  const framesOfTheCall = async (threadId: string): Promise<StreamFrame[]> => {
    const seen: StreamFrame[] = [];
    for await (const frame of person.frames(`/agent/runs/${threadId}/events`)) {
      seen.push(frame);
      if (frame.event.type === 'TOOL_CALL_END') break;
    }
    return seen;
  };
  /** The events as our own clients read them. */
  const parsed = (all: StreamFrame[]): AppEvent[] =>
    JSON.parse(JSON.stringify(all.map(({ event }) => event))) as AppEvent[];

  it.each(CASES)(
    'is gone on with, and the write is done once, when it $moment',
    async ({ holds }) => {
      const threadId = `thread-${holds.join('-')}`;
      const title = `Review of ${threadId}`;
      const input = {
        title,
        start_at: '2027-05-03T09:00:00+08:00',
        end_at: '2027-05-03T10:00:00+08:00',
      };
      model.replies.push(
        callReply({ module: 'calendar', method: 'create', input }),
        textReply('It is planned.'),
      );

      const url = await embeddedUrl(server, dataDir);
      let [table = '', ...later] = holds;
      held.push(await TableHold.take(url, table));
      await person.post('/agent/runs', { threadId, message: 'Plan the review.' });
      const seen = await framesOfTheCall(threadId);
      await held.at(-1)?.untilWaitedFor();
      while (later.length > 0) {
        [table = '', ...later] = later;
        held.push(await TableHold.take(url, table));
        await held.shift()?.release();
        await held.at(-1)?.untilWaitedFor();
      }
      await server.kill();
      await start();

      const rest = await frames(threadId, seen.at(-1)?.id ?? '');
      const events = parsed([...seen, ...rest]);
      expect(grammarFaults(events)).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
      const results = events.filter(({ type }) => type === 'TOOL_CALL_RESULT');
      expect(results).toMatchObject([{ status: 'success', result: { data: { title } } }]);
      expect(await frames(threadId, '0')).toEqual([...seen, ...rest]);

      const fold = new ChatFold();
      for (const event of events) fold.apply(event);
      const history = await person.get(`/agent/runs/${threadId}/history`);
      expect(history.body.messages).toEqual(fold.items);

      const found = await person.get(
        '/calendar/events?start_at=2027-05-03T00:00:00Z&end_at=2027-05-04T00:00:00Z',
      );
      const titles = (found.body.items as { title: string }[]).map((item) => item.title);
      expect(titles.filter((one) => one === title)).toHaveLength(1);

      model.replies.push(textReply('We go on.'));
      const next = await person.say('And now?', threadId);
      expect(next.frames.at(-1)?.event.type).toBe('RUN_FINISHED');
      expect(Number(next.frames[0]?.id)).toBe(seen.length + rest.length + 1);
      const told = model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool');
      expect(told?.map(({ content }) => content)).toEqual(
        fold.items.filter(({ role }) => role === 'tool').map(({ content }) => content),
      );
    },
    120_000,
  );
});
