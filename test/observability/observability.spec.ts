import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { ApiClient } from '../support/api-client.js';
import { callReply, textReply, type ModelReply } from '../support/model-server.js';
import { startScriptedProduct, type ScriptedProduct } from '../support/scripted-product.js';
import { Scrape } from './scrape.js';

const METHODS = { module: 'help', method: 'methods', input: {} };

/** The whole product: what is told of it over `/metrics` and in its log. */
describe('observability', () => {
  let scripted: ScriptedProduct;
  let model: ScriptedProduct['endpoint'];
  let product: ScriptedProduct['product'];
  let person: ApiClient;

  beforeAll(async () => {
    scripted = await startScriptedProduct({
      MODEL_RETRY_BASE_MS: '10',
      LOG_LEVEL: 'trace',
    });
    ({ endpoint: model, product } = scripted);
    person = await product.client().register({ locale: 'en' });
  });
  afterAll(() => scripted.close());

  const scrape = () => Scrape.of(product.url);
  const run = (...replies: ModelReply[]) => {
    model.replies.push(...replies);
    return person.say('go on');
  };
  const inDatabase = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: product.databaseUrl });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  /**
   * By how much numbers grow with something that is done. A stream ends with its run's last event, and
   * what is counted then may be counted a moment later.
   */
  async function expectGrowth(
    work: () => Promise<unknown>,
    ...samples: [by: number, name: string, labels?: string][]
  ): Promise<void> {
    const before = await scrape();
    await work();
    const expected = samples.map(([by, ...sample]) => [by, ...sample]);
    const grown = async () => {
      const after = await scrape();
      return samples.map(([, ...of]) => [after.value(...of) - before.value(...of), ...of]);
    };
    let found = await grown();
    for (let look = 0; look < 100 && !isDeepStrictEqual(found, expected); look += 1) {
      await delay(20);
      found = await grown();
    }
    expect(found).toEqual(expected);
  }

  it('counts runs by state, and takes their times', async () => {
    await expectGrowth(
      () => run(callReply(METHODS), textReply('Done.')),
      [1, 'steward_runs_total', 'state="queued"'],
      [1, 'steward_runs_total', 'state="running"'],
      [1, 'steward_runs_total', 'state="succeeded"'],
      [1, 'steward_run_time_to_first_event_seconds_count'],
      [1, 'steward_run_time_to_first_text_seconds_count'],
      [1, 'steward_run_duration_seconds_count', 'outcome="success"'],
      [1, 'steward_run_stage_duration_seconds_count', 'stage="intent"'],
      [1, 'steward_run_stage_duration_seconds_count', 'stage="execution"'],
      [1, 'steward_run_stage_duration_seconds_count', 'stage="report"'],
    );
    const told = await scrape();
    expect(told.value('steward_events_appended_total')).toBeGreaterThan(5);
    expect(told.value('steward_event_append_batch_events_count')).toBeGreaterThan(2);
  });

  it('counts a run that fails as what it is', async () => {
    await expectGrowth(
      () => run({ status: 400, lines: [{ error: { message: 'no' } }] }),
      [1, 'steward_runs_total', 'state="failed"'],
      [1, 'steward_run_duration_seconds_count', 'outcome="error"'],
      [0, 'steward_run_time_to_first_text_seconds_count'],
    );
  });

  it('takes the time of calls by method and code; what a model invents has no name', async () => {
    const invented = { module: 'secrets', method: 'dump', input: {} };
    const wrong = { module: 'help', method: 'search', input: { nothing: 1 } };
    const name = 'steward_tool_call_duration_seconds_count';
    await expectGrowth(
      () => run(callReply(METHODS, invented, wrong), textReply('Done.')),
      [1, name, 'method="help.methods",status="success",code=""'],
      [1, name, 'method="unknown",status="failure",code="MODULE_NOT_FOUND"'],
      [1, name, 'method="help.search",status="failure",code="INVALID_ACTION_INPUT"'],
    );
    expect((await scrape()).text).not.toContain('dump');
  });

  it('takes the time of models, and counts their tokens and what had to be sent again', async () => {
    const of = 'provider="openai_compatible",model="scripted"';
    const busy: ModelReply = { status: 503, lines: [{ error: { message: 'busy' } }] };
    await expectGrowth(
      () => run(busy, textReply('Done.')),
      [1, 'steward_model_request_duration_seconds_count', `${of},outcome="ok"`],
      [1, 'steward_model_request_duration_seconds_count', `${of},outcome="DEPENDENCY_UNAVAILABLE"`],
      [1, 'steward_model_retries_total', of],
      [1, 'steward_model_time_to_first_token_seconds_count', of],
      [10, 'steward_model_tokens_total', `${of},direction="input"`],
      [5, 'steward_model_tokens_total', `${of},direction="output"`],
    );
  });

  it('tells the streams that are open, and how they ended', async () => {
    model.replies.push({ lines: [], end: 'hang' });
    const created = await person.post('/agent/runs', { message: 'wait' });
    const { threadId, runId } = created.body as { threadId: string; runId: string };
    // Those of earlier runs have ended, and are counted until they are closed.
    let before = await scrape();
    while (before.value('steward_stream_clients') > 0) before = await scrape();
    const leave = new AbortController();
    await person.raw(`/agent/runs/${threadId}/events?after=0`, { signal: leave.signal });
    const open = await scrape();
    expect(open.value('steward_stream_clients')).toBe(before.value('steward_stream_clients') + 1);
    // One look into the table serves scrapes for a few seconds.
    let census = open;
    while (census.value('steward_runs', 'state="running"') !== 1) census = await scrape();
    leave.abort();
    const left = ['steward_streams_total', 'end="client_left"'] as const;
    const goal = before.value(...left) + 1;
    let after = await scrape();
    while (after.value(...left) < goal) after = await scrape();
    expect(after.value(...left)).toBe(goal);
    await person.post(`/agent/runs/${runId}/cancel`, {});
    for await (const frame of person.frames(`/agent/runs/${threadId}/events?after=0`)) void frame;
  });

  it('names nobody and nothing that somebody wrote in a label', async () => {
    await run(textReply('Done.'));
    const { labels } = await scrape();
    expect(labels.length).toBeGreaterThan(20);
    const known = /^(|[a-z_]+(\.[a-z_]+)?|[A-Z_]+|scripted|[0-9.]+|\+Inf)$/;
    expect(labels.filter(([, , value]) => !known.test(value))).toEqual([]);
    const owned = labels.filter(([, , value]) => /usr|thr|run_0|call_|@/.test(value));
    expect(owned).toEqual([]);
  });

  it('logs every line of a run with its ids, of runs that go on side by side too', async () => {
    const from = product.logs.length;
    const fail = (): ModelReply => ({ status: 400, lines: [20, { error: { message: 'no' } }] });
    model.replies.push(...Array.from({ length: 6 }, fail));
    const runs = await Promise.all(Array.from({ length: 6 }, () => person.say('go on')));
    // The line of a request is written once its answer is closed, which the client need not wait for.
    const isRequest = (line: string): boolean => line.includes('"req":');
    while (product.logs.slice(from).filter(isRequest).length < 12) await delay(5);
    const written = product.logs.slice(from);
    // JSON.parse passes over it: a member that stands twice in a line.
    const ids = ['requestId', 'runId', 'threadId', 'toolCallId'].map((id) => `"${id}":`);
    const twice = written.filter((line) => ids.some((id) => line.split(id).length > 2));
    expect(twice).toEqual([]);
    const lines = written.map(
      (line) => JSON.parse(line) as Record<string, unknown> & { msg: string },
    );
    for (const { runId, threadId } of runs) {
      const told = lines.filter(({ msg }) => msg.includes(runId));
      expect(told.length).toBeGreaterThan(0);
      for (const line of told) expect(line).toMatchObject({ runId, threadId });
      expect(told.filter((line) => 'requestId' in line)).toEqual([]);
    }
    const requests = lines.filter(({ req }) => req !== undefined);
    expect(requests.length).toBeGreaterThanOrEqual(12);
    for (const line of requests) {
      expect(line.requestId).toBe((line.req as { id: string }).id);
      expect(line).not.toHaveProperty('runId');
    }
  });

  it('logs what fails in a call with the run that made it, behind the tool door too', async () => {
    await inDatabase(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`);
    await inDatabase(
      'CREATE TRIGGER fail BEFORE INSERT ON contacts FOR EACH ROW EXECUTE FUNCTION fail()',
    );
    const from = product.logs.length;
    const create = { module: 'contacts', method: 'create', input: { name: 'Amy' } };
    const { runId, threadId } = await run(callReply(create), textReply('Done.'));
    await inDatabase('DROP FUNCTION fail() CASCADE');
    const lines = product.logs
      .slice(from)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ context }) => context === 'ToolCall');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toMatchObject({ runId, threadId, toolCallId: expect.any(String) });
    }
  });
});
