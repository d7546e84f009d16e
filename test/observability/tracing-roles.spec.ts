import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { createTestDatabase } from '../support/database.js';
import {
  callReply,
  startModelServer,
  textReply,
  type ModelServer,
} from '../support/model-server.js';
import { startServerProcess, type ServerProcess } from '../support/server-process.js';
import { SpanCollector } from './span-collector.js';

/** An API replica and a worker, which sends its calls to that one's tool door. */
describe('tracing over the processes of a deployment', () => {
  const collector = new SpanCollector();
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let model: ModelServer;
  let dataDir: string;
  const all: ServerProcess[] = [];

  beforeAll(async () => {
    [database, model] = await Promise.all([createTestDatabase(), startModelServer()]);
    dataDir = await mkdtemp(join(tmpdir(), 'steward-traces-'));
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      PUBLIC_URL: 'http://steward.test',
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'scripted',
      OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(),
    };
    const api = await startServerProcess({ ...env, ROLE: 'api', OTEL_SERVICE_NAME: 'api' });
    all.push(api);
    const worker = { ROLE: 'worker', OTEL_SERVICE_NAME: 'worker', PROJECT_CLI_ENDPOINT: api.url };
    all.push(await startServerProcess({ ...env, ...worker }));
  }, 120_000);
  afterAll(async () => {
    await Promise.all(all.map((server) => server.kill()));
    await collector.stop();
    await model.close();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('has the call at the replica under the tool of the run at the worker', async () => {
    model.replies.push(
      callReply({ module: 'help', method: 'search', input: { query: 'calendar' } }),
      textReply('Here.'),
    );
    const person = await new ApiClient(all[0]?.url ?? '').register();
    const { frames } = await person.say('What can you do?');
    expect(frames.at(-1)?.event).toMatchObject({ type: 'RUN_FINISHED', outcome: 'success' });
    // What they have not sent yet, they send before they end.
    await Promise.all(all.map((server) => server.stop()));
    const [tool] = collector.spans.filter(({ name }) => name === 'execute_tool project_cli');
    const [call] = collector.spans.filter(({ name }) => name === 'call help.search');
    expect([tool?.service, call?.service]).toEqual(['worker', 'api']);
    expect(call?.parentSpanId).toBe(tool?.spanId);
    expect(call?.traceId).toBe(tool?.traceId);
  }, 60_000);
});
