import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { readConfig } from '../../src/config/app-config.js';
import { createLogger } from '../../src/logging/logger.js';
import { createApp } from '../../src/server.js';
import type { ApiClient } from '../support/api-client.js';
import {
  callReply,
  startModelServer,
  textReply,
  type ModelServer,
} from '../support/model-server.js';
import { startProduct, type Product } from '../support/product.js';
import { IN_CLUSTER } from '../support/topology.js';

const CALL = {
  module: 'calendar',
  method: 'create',
  input: { title: 'Lunch', start_at: '2030-05-06T12:00:00Z', end_at: '2030-05-06T13:00:00Z' },
};

/** A replica that serves clients takes runs in; one that executes them starts on the same database. */
(IN_CLUSTER ? describe.skip : describe)('a process that starts while runs wait', () => {
  let api: Product;
  let model: ModelServer;
  let person: ApiClient;

  beforeAll(async () => {
    model = await startModelServer();
    api = await startProduct({ ROLE: 'api' });
    person = await api.client().register();
  });
  afterAll(async () => {
    await api.close();
    await model.close();
  });

  const start = async (): Promise<string> => {
    const { status, body } = await person.post('/agent/runs', { message: 'go' });
    expect(status).toBe(202);
    return String(body.runId);
  };
  const statusOf = async (runId: string) => (await person.get(`/agent/runs/${runId}`)).body.status;

  it('takes them up once it listens, so that their calls come back to it', async () => {
    model.replies.push(callReply(CALL), textReply('Done.'), callReply(CALL), textReply('Done.'));
    const before = await start();
    const config = readConfig({
      LOG_LEVEL: 'silent',
      PORT: '0',
      DATA_DIR: api.dataDir,
      DATABASE_URL: api.databaseUrl,
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'm',
      RUN_CONCURRENCY: '1',
    });
    const app = await createApp(config, api.databaseUrl, createLogger(config));
    try {
      const meanwhile = await start();
      expect([await statusOf(before), await statusOf(meanwhile)]).toEqual(['queued', 'queued']);
      await app.listen(0, '127.0.0.1');
      for (const runId of [before, meanwhile]) {
        while ((await statusOf(runId)) !== 'succeeded') await delay(10);
      }
    } finally {
      await app.close();
    }
    const calls = await api.app
      .get(DataSource, { strict: false })
      .query<object[]>('SELECT run_id, status FROM tool_calls ORDER BY started_at');
    expect(calls).toEqual([
      { run_id: expect.any(String), status: 'success' },
      { run_id: expect.any(String), status: 'success' },
    ]);
  });
});
