import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CapabilitiesAdminModule } from '../../src/capabilities/capabilities-admin.module.js';
import type { JsonObject } from '../../src/common/json.js';
import { InlineExecutor } from '../../src/tool-router/executors/inline-executor.js';
import { WhitelistAdminModule } from '../../src/whitelist/whitelist-admin.module.js';
import { AdminClient, chatMay } from '../support/admin-client.js';
import { callsTool, startAgentApp, type AgentApp } from '../support/agent-app.js';
import type { ApiClient } from '../support/api-client.js';
import { AskingModule } from '../support/asking-module.js';

type Row = Record<string, unknown>;

const PAINT = { module: 'notes', method: 'paint', input: {} };

/** A call counts once, when it goes on: ApprovalGate.leave, CallLimiter.giveBack, RunFacts.originOf. */
describe('limits on a method that asks', () => {
  let app: AgentApp;
  let admin: AdminClient;
  let person: ApiClient;

  beforeAll(async () => {
    app = await startAgentApp(
      {},
      { modules: [AskingModule, CapabilitiesAdminModule, WhitelistAdminModule] },
    );
    const inline = app.app.get(InlineExecutor, { strict: false });
    app.executor.answer = (request, signal) => inline.execute(request, signal);
    admin = await new AdminClient(app.url).register();
    await admin.putPolicy(chatMay('notes.*'));
    person = await app.client().register();
  });
  afterAll(() => app.close());

  const limit = (limits: JsonObject) => admin.patch('notes.paint', { limits });

  it('count an answered question once, outside of runs', async () => {
    await limit({ callsPerUserPerDay: 2 });
    const { credential } = await person.credential();
    const paint = async () => {
      const headers = { authorization: `Bearer ${credential}` };
      const { body } = await person.call('POST', '/tools/project_cli', PAINT, headers);
      return body['ok'] === true ? 'ok' : (body['error'] as Row)['code'];
    };
    const answer = async () => {
      const { body } = await person.get('/agent/interrupts?status=pending');
      const [asked] = body['interrupts'] as Row[];
      const path = `/agent/interrupts/${String(asked?.['id'])}/resolve`;
      const said = { status: 'resolved', payload: { color: 'red' } };
      expect((await person.post(path, said)).status).toBe(200);
    };
    for (let call = 1; call <= 2; call += 1) {
      // However often it is repeated while it waits.
      expect(await paint()).toBe('APPROVAL_REQUIRED');
      expect(await paint()).toBe('APPROVAL_REQUIRED');
      await answer();
      expect(await paint()).toBe('ok');
    }
    expect(await paint()).toBe('RATE_LIMITED');
  });

  it('count on in the run that goes on with one that waited', async () => {
    person = await app.client().register();
    await limit({ callsPerRun: 1 });
    app.model.turns = [callsTool(PAINT), callsTool(PAINT)];
    const { threadId } = await person.say('please');
    const { body } = await person.get(`/agent/runs/${threadId}/history`);
    const [asked] = body['interrupts'] as Row[];
    const resume = [{ interruptId: asked?.['id'], status: 'resolved', payload: { color: 'red' } }];
    const resumed = await person.post('/agent/runs', { threadId, resume });
    expect(resumed.status).toBe(202);
    for await (const _frame of person.frames(`/agent/runs/${threadId}/events`)) continue;
    const results = (await app.events(threadId)).flatMap((event) =>
      event.type === 'TOOL_CALL_RESULT' ? [event.tool.error?.code ?? event.tool.status] : [],
    );
    expect(results).toEqual(['success', 'LIMIT_EXCEEDED']);
  });
});
