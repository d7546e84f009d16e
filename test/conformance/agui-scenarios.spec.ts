import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { pipelineFaults } from '../support/agui-pipeline.js';
import { startAskingApp, type AskingApp } from '../support/asking-app.js';
import { collectComplaints } from '../support/console-complaints.js';
import { SCENARIOS } from './scenarios/index.js';
import type { Expectation, Scenario, Step, ToolAnswer } from './scenarios/scenario.js';
import { STOCK_AGENTS, type AgentRun, type ClientTool, type StockAgent } from './stock-agent.js';
import type { ClientMessage } from './stock-clients.js';

const RETRIES = { MODEL_MAX_ATTEMPTS: '2', MODEL_RETRY_BASE_MS: '1' };
/** The forms of a stream that are judged with each client: its own, and with one of them ours. */
const FORMS: Record<string, string[]> = {
  '1.0.0': ['encoding=agui&protocolVersion=1.0', 'encoding=app'],
  '0.0.59': ['encoding=agui'],
};

let app: AskingApp;
const complaints = collectComplaints();

beforeAll(async () => {
  app = await startAskingApp(undefined, RETRIES);
}, 60_000);
afterAll(() => app.close());

it('has scenarios enough, each with a name of its own', () => {
  expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length);
  expect(SCENARIOS.length).toBeGreaterThanOrEqual(40);
});

describe.each(Object.keys(STOCK_AGENTS))('stock @ag-ui/client %s', (version) => {
  it.each(SCENARIOS.map((scenario): [string, Scenario] => [scenario.name, scenario]))(
    '%s',
    async (_name, scenario) => {
      const talk = new Talk(version, SCENARIOS.indexOf(scenario));
      await talk.begin(scenario);
      for (const step of scenario.steps()) await talk.take(step);
      await talk.check();
    },
  );
});

function concerns(step: Step, type: string): boolean {
  return type === step.cancelOn || type === step.leaveOn || type === step.interjectOn;
}

/** One scenario under way. */
class Talk {
  private readonly threadId: string;
  private readonly person: ApiClient;
  private agent: StockAgent | null = null;
  private tools: ClientTool[] | undefined;
  private turn = 0;
  /** Messages of the person that runs began with. */
  private said = 0;
  private ran = false;
  private given = 0;
  /** Whether the client saw everything. */
  private whole = true;

  constructor(
    private readonly version: string,
    place: number,
  ) {
    this.threadId = `scenario-${version}-${place}`;
    this.person = app.client();
    this.person.token = app.person.token;
  }

  async begin({ locale = 'en', tools }: Scenario): Promise<void> {
    this.tools = tools;
    if (locale !== 'en') await this.person.register({ locale });
    const agent = STOCK_AGENTS[this.version]?.({
      url: `${app.url}/api/v1/agent/runs`,
      headers: { authorization: `Bearer ${this.person.token}` },
      threadId: this.threadId,
    });
    if (!agent) throw new Error('no such client');
    this.agent = agent;
  }

  async take(step: Step): Promise<void> {
    this.turn += 1;
    const agent = this.client;
    app.model.turns = [...(step.model ?? [])];
    app.model.requests.length = 0;
    if ('say' in step) this.say(step.say);
    const resume = this.resumeOf(step);
    if ('give' in step) this.give(step.give);
    const also = 'answer' in step ? step.also : 'give' in step ? step.said : undefined;
    if (also !== undefined) this.say(also);
    const before = new Set(agent.messages().map(({ id }) => id));
    const runId = `run-${this.threadId}-${this.turn}`;
    const deeds: Promise<void>[] = [];
    const run = await agent.run({
      runId,
      ...(resume && { resume }),
      ...(this.tools && { tools: this.tools }),
      onEvent: (type) => {
        if (deeds.length > 0 || !concerns(step, type)) return;
        deeds.push(this.act(step, runId).then(() => step.done?.()));
      },
    });
    await Promise.all(deeds);
    if (step.expect.refused !== undefined) {
      expect(run.failure?.message).toContain(String(step.expect.refused));
      expect(run.types).toEqual([]);
      complaints.length = 0;
      return;
    }
    this.ran = true;
    if ('say' in step || also !== undefined) this.said += 1;
    // Whatever a client resends, the model is shown each message once, and nothing that was thought.
    const shown = app.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user');
    if (shown) expect(shown).toHaveLength(this.said);
    if (step.leaveOn !== undefined) {
      await this.frames('encoding=agui');
      expect(await app.status(runId)).toBe('succeeded');
      this.whole = false;
      return;
    }
    expect(complaints).toEqual([]);
    this.compare(
      run,
      step.expect,
      agent.messages().filter(({ id }) => !before.has(id)),
      runId,
    );
  }

  /** Every stream and what is stored, against the protocol and against each other. */
  async check(): Promise<void> {
    expect(complaints).toEqual([]);
    if (this.person.token === app.person.token && this.ran) await app.check(this.threadId);
    if (!this.ran) {
      expect(await this.person.get(`/agent/runs/${this.threadId}/history`)).toMatchObject({
        status: 404,
      });
      return;
    }
    for (const form of FORMS[this.version] ?? [])
      expect([form, pipelineFaults(await this.frames(form))]).toEqual([form, []]);
    if (this.whole) await this.compareSnapshot();
  }

  /** What the server would tell a new client is what this one holds. */
  private async compareSnapshot(): Promise<void> {
    const path = `/agent/runs/${this.threadId}/history?encoding=agui`;
    const { body } = await this.person.get(path);
    const facts = (messages: ClientMessage[]) => {
      const places = placesOf(messages);
      return messages
        .toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
        .map(({ id, role, content, toolCallId }) => ({
          id,
          role,
          // What a tool of the front end gave stands there as that wrote it.
          content: role === 'tool' && id.includes('-gave-') ? undefined : content || undefined,
          toolCallId,
        }))
        .filter(({ role, content }) => role !== 'user' || typeof content === 'string');
    };
    const stored = facts(body['messages'] as ClientMessage[]);
    const held = this.client.messages();
    expect(facts(held).filter(({ role }) => role !== 'user')).toEqual(
      stored.filter(({ role }) => role !== 'user'),
    );
    expect(held.filter(({ role }) => role === 'user')).toHaveLength(
      stored.filter(({ role }) => role === 'user').length,
    );
  }

  private compare(
    run: AgentRun,
    expected: Expectation,
    added: ClientMessage[],
    runId: string,
  ): void {
    const { ends = 'RUN_FINISHED', code, status, roles, texts, has, results, pending } = expected;
    expect(run.failure).toBeNull();
    expect(run.types[0]).toBe('RUN_STARTED');
    expect(run.types.at(-1)).toBe(ends);
    expect(run.types.filter((type) => /^RUN_(FINISHED|ERROR)$/.test(type))).toHaveLength(1);
    expect(run.runError?.code).toBe(code);
    expect(run.types).toEqual(expect.arrayContaining(has ?? []));
    const state = { run: { id: runId, stage: null, ...(status && { status }) } };
    expect(this.client.state()).toMatchObject(state);
    if (roles) expect(added.map(({ role }) => role)).toEqual(roles);
    const said = added.filter(({ role, content }) => role !== 'tool' && content);
    if (texts) {
      expect(said).toHaveLength(texts.length);
      for (const [index, wanted] of texts.entries()) {
        const { content } = said[index] ?? {};
        if (typeof wanted === 'string') expect(content).toBe(wanted);
        else expect(content).toMatch(wanted);
      }
    }
    if (pending) this.comparePending(run, pending);
    if (results) {
      const told = added
        .filter(({ role }) => role === 'tool')
        .map(({ metadata }) => {
          const error = metadata?.['error'] as { code: string } | undefined;
          return [String(metadata?.['status']), error?.code].filter(Boolean).join(' ');
        });
      expect(told).toEqual(results);
    }
  }

  /** What a front end finds that it has to do: calls under the names of its tools that have no result. */
  private comparePending(run: AgentRun, expected: string[]): void {
    const open = this.openCalls();
    expect(open.map(({ name }) => name)).toEqual(expected);
    // With an interrupt AG-UI names none.
    if (run.pendingToolCallIds && this.client.pending().length === 0) {
      expect(run.pendingToolCallIds).toEqual(open.map(({ id }) => id));
    }
  }

  private openCalls(): { id: string; name: string }[] {
    const messages = this.client.messages();
    const answered = new Set(messages.flatMap(({ toolCallId }) => toolCallId ?? []));
    const names = new Set(this.tools?.map(({ name }) => name));
    return messages
      .flatMap(({ toolCalls }) => toolCalls ?? [])
      .filter((call) => !answered.has(call.id) && names.has(call.function.name))
      .map((call) => ({ id: call.id, name: call.function.name }));
  }

  private give(given: Record<string, ToolAnswer | undefined>): void {
    for (const { id, name } of this.openCalls()) {
      const result = given[name];
      if (!result) continue;
      this.given += 1;
      const message = { id: `${this.threadId}-gave-${this.given}`, role: 'tool', toolCallId: id };
      this.client.add({ ...message, content: '', ...result });
    }
  }

  private resumeOf(step: Step) {
    if ('answer' in step) return this.answers(step.answer);
    return 'give' in step && step.resolve ? this.answers(step.resolve) : undefined;
  }

  private get client(): StockAgent {
    if (!this.agent) throw new Error('not begun');
    return this.agent;
  }

  private say(content: unknown): void {
    this.client.add({ id: `${this.threadId}-said-${this.turn}`, role: 'user', content });
  }

  private answers(payload: object | null) {
    return this.client
      .pending()
      .map(({ id: interruptId }) =>
        payload
          ? { interruptId, status: 'resolved' as const, payload }
          : { interruptId, status: 'cancelled' as const },
      );
  }

  private async act(step: Step, runId: string): Promise<void> {
    if (step.leaveOn !== undefined) this.client.abort();
    if (step.cancelOn !== undefined) await this.person.post(`/agent/runs/${runId}/cancel`, {});
    if (step.interjectOn !== undefined) {
      const refused = await this.person.post('/agent/runs', {
        threadId: this.threadId,
        message: 'me too',
      });
      expect(refused).toMatchObject({ status: 409, body: { code: 'RUN_ACTIVE' } });
    }
  }

  private async frames(form: string) {
    const path = `/agent/runs/${this.threadId}/events?after=0&${form}`;
    const events = [];
    for await (const { event } of this.person.frames(path)) events.push(event);
    return events;
  }
}

/** Results of one turn stand at a client in the order in which they came to it: here in that of the calls. */
function placesOf(messages: ClientMessage[]): Map<string, number> {
  const calls = messages.flatMap(({ toolCalls }) => toolCalls ?? []).map(({ id }) => id);
  let turn = 0;
  return new Map(
    messages.map(({ id, role, toolCallId }) => {
      if (role !== 'tool') turn += calls.length + 1;
      return [id, turn + (toolCallId === undefined ? 0 : 1 + calls.indexOf(toolCallId))];
    }),
  );
}
