import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chunk, textReply } from '../support/model-server.js';
import { startScriptedProduct, type ScriptedProduct } from '../support/scripted-product.js';
import { Scrape } from './scrape.js';

const PAGE = resolve(import.meta.dirname, '../../docs/OBSERVABILITY.md');

describe('the metrics', () => {
  let scripted: ScriptedProduct;
  let model: ScriptedProduct['endpoint'];
  let product: ScriptedProduct['product'];

  beforeAll(async () => {
    scripted = await startScriptedProduct({
      RUN_CONCURRENCY: '1',
      RUN_CONCURRENCY_PER_USER: '1',
    });
    ({ endpoint: model, product } = scripted);
  });
  afterAll(() => scripted.close());

  it('are those of docs/OBSERVABILITY.md, none less and none more', async () => {
    const page = await readFile(PAGE, 'utf8');
    const documented = [...page.matchAll(/^\| `(steward_\w+)`/gm)].map(([, name]) => name);
    const { text } = await Scrape.of(product.url);
    const served = [...text.matchAll(/^# TYPE (steward_\w+) /gm)].map(([, name]) => name);
    expect(documented.length).toBeGreaterThan(20);
    // Of Redis there is something to tell with REDIS_URL alone.
    const here = documented.filter((name) => !name?.startsWith('steward_redis_'));
    expect(new Set(served)).toEqual(new Set(here));
  });

  it('tell how long the oldest run has been queued', async () => {
    const age = async () => (await Scrape.of(product.url)).value('steward_run_queue_age_seconds');
    expect(await age()).toBe(0);
    const [first, second] = await Promise.all([
      product.client().register(),
      product.client().register(),
    ]);
    model.replies = [{ lines: [chunk({ content: 'I think' })], end: 'hang' }, textReply('Done.')];
    const held = (await first.post('/agent/runs', { message: 'go' })).body;
    while (model.requests.length === 0) await delay(10);
    const queued = (await second.post('/agent/runs', { message: 'go' })).body;
    // The queue is looked at every five seconds at most.
    while ((await age()) === 0) await delay(100);
    await first.post(`/agent/runs/${String(held['runId'])}/cancel`, {});
    const events = second.frames(`/agent/runs/${String(queued['threadId'])}/events`);
    for await (const { event } of events) if (event.type === 'RUN_ERROR') throw new Error('failed');
    while ((await age()) > 0) await delay(100);
  }, 60_000);
});
