import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { AutomationModule } from '../../src/automation/automation.module.js';
import { FiringPoller } from '../../src/automation/firing-poller.js';
import { FiringRunner } from '../../src/automation/firing-runner.js';
import { SchedulerBindingsModule } from '../../src/bindings/scheduler-bindings.module.js';
import { Clock } from '../../src/common/clock.js';
import { DueFiringsService } from '../../src/modules/scheduler/due-firings.service.js';
import { SchedulerChanges } from '../../src/modules/scheduler/scheduler-changes.js';
import { SchedulerModule } from '../../src/modules/scheduler/scheduler.module.js';
import { InlineExecutor } from '../../src/tool-router/executors/inline-executor.js';
import { WhitelistService } from '../../src/whitelist/whitelist.service.js';
import { callsTool, hangs, says, startAgentApp, type AgentApp } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import { AskingModule } from '../support/asking-module.js';
import { TestClock } from '../support/test-clock.js';

type Row = Record<string, unknown>;

const HOUR = 3_600;
const HOURLY = { title: 'Look', prompt: 'What is new?', cron: '0 * * * *' };
const PAINT = { module: 'notes', method: 'paint', input: {} };

/** What ends when a person takes back what they let a task do, whichever way they do so. */
describe('the grant of a scheduled task', () => {
  let agent: AgentApp;
  let api: ApiClient;
  let poller: FiringPoller;
  let id: string;
  const clock = new TestClock();

  beforeAll(async () => {
    agent = await startAgentApp(
      { ACCESS_TOKEN_TTL_SECONDS: '86400' },
      {
        modules: [SchedulerModule, AutomationModule, SchedulerBindingsModule, AskingModule],
        override: (builder) => builder.overrideProvider(Clock).useValue(clock),
      },
    );
    const { app } = agent;
    const inline = app.get(InlineExecutor, { strict: false });
    agent.executor.answer = (request, signal) => inline.execute(request, signal);
    await app.get(FiringPoller).onModuleDestroy();
    const [due, runner] = [app.get(DueFiringsService), app.get(FiringRunner)];
    poller = new FiringPoller(due, runner, app.get(SchedulerChanges), clock);
    api = await agent.client().register({ timezone: 'UTC' });
    const whitelist = app.get(WhitelistService, { strict: false });
    const { version } = await whitelist.current();
    const all = { allow: ['*'] };
    await whitelist.replace({ profiles: { chat: all, automation: all } }, version, api.userId);
  });
  afterEach(async () => {
    await api.call('DELETE', `/schedules/${id}`);
  });
  afterAll(() => agent.close());

  const sql = (text: string, values: unknown[] = []) =>
    agent.app.get(DataSource).query<Row[]>(text, values);
  const change = (body: object) => api.call('PATCH', `/schedules/${id}`, body);
  const status = async (runId: unknown) =>
    (await api.get(`/agent/runs/${String(runId)}`)).body['status'];
  const history = async () => (await api.get(`/schedules/${id}/runs`)).body['items'] as Row[];
  const follow = async (threadId: unknown) => {
    const frames = api.frames(`/agent/runs/${String(threadId)}/events`);
    for await (const _frame of frames) continue;
  };
  /** A task whose first time has come; the model says this. */
  const fired = async (...turns: AgentApp['model']['turns']): Promise<Row> => {
    id = String((await api.post('/schedules', HOURLY)).body['id']);
    agent.model.turns = turns;
    clock.advance(HOUR);
    await poller.look();
    const [run] = await history();
    return run ?? {};
  };
  const answer = async (threadId: unknown, question: unknown) =>
    api.post('/agent/runs', {
      threadId,
      resume: [{ interruptId: question, status: 'resolved', payload: { color: 'red' } }],
    });
  const question = async (threadId: unknown) => {
    const { body } = await api.get(`/agent/runs/${String(threadId)}/history`);
    return (body['interrupts'] as Row[])[0]?.['id'];
  };
  const openCredentials = () =>
    sql(
      `SELECT c.run_id FROM credentials c JOIN agent_runs r ON r.id = c.run_id
       WHERE r.profile = 'automation' AND c.revoked_at IS NULL`,
    );

  const WAYS: [way: string, end: () => Promise<{ status: number }>][] = [
    ['another prompt', () => change({ prompt: 'Something else.' })],
    ['other times', () => change({ cron: '30 * * * *' })],
    ['withdrawal', () => api.call('DELETE', `/schedules/${id}/grant`)],
    ['deletion', () => api.call('DELETE', `/schedules/${id}`)],
  ];

  it.each(WAYS)('ends the active run: %s', async (_way, end) => {
    const { runId, threadId } = await fired(() => hangs());
    expect((await end()).status).toBeLessThan(300);
    expect(await openCredentials()).toEqual([]);
    await follow(threadId);
    expect(await status(runId)).toBe('cancelled');
  });

  it.each(WAYS)(
    'ends the run that waits, and the one that went on with it: %s',
    async (_way, end) => {
      const { runId, threadId } = await fired(callsTool(PAINT), callsTool(PAINT), says('Red.'));
      await follow(threadId);
      // Answered once, it waits again, as another run.
      const resumed = await answer(threadId, await question(threadId));
      expect(resumed.status).toBe(202);
      await follow(threadId);
      const { runId: second } = resumed.body;
      expect([await status(runId), await status(second)]).toEqual(['succeeded', 'waiting']);
      const asked = await question(threadId);
      clock.advance(HOUR);
      await poller.look();
      expect(await history()).toMatchObject([{ reason: 'previous_run_active' }, {}]);
      expect((await end()).status).toBeLessThan(300);
      expect(await status(second)).toBe('cancelled');
      expect((await answer(threadId, asked)).status).toBe(409);
      expect(await openCredentials()).toEqual([]);
    },
  );

  it('ends a run that was answered while it goes on', async () => {
    const { threadId } = await fired(callsTool(PAINT), () => hangs());
    await follow(threadId);
    const { body } = await answer(threadId, await question(threadId));
    expect((await change({ prompt: 'Something else.' })).status).toBe(200);
    await follow(threadId);
    expect(await status(body['runId'])).toBe('cancelled');
  });

  it("leaves the person's own run in the conversation alone", async () => {
    const { threadId } = await fired(callsTool(PAINT), callsTool(PAINT));
    await follow(threadId);
    const { runId } = await api.say('And now?', String(threadId));
    expect(await status(runId)).toBe('waiting');
    expect((await change({ prompt: 'Something else.' })).status).toBe(200);
    expect(await status(runId)).toBe('waiting');
    expect((await api.post(`/agent/runs/${runId}/cancel`, {})).status).toBeLessThan(300);
  });

  it('lets no claimed time of a task fire that was switched off meanwhile', async () => {
    id = String((await api.post('/schedules', HOURLY)).body['id']);
    clock.advance(HOUR);
    const { claimed } = await agent.app.get(DueFiringsService).claim(20);
    expect(claimed).toHaveLength(1);
    await change({ enabled: false });
    clock.advance(120);
    await poller.look();
    expect(await history()).toMatchObject([{ status: 'skipped', reason: 'switched_off' }]);
  });
});
