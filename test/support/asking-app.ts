import { isDeepStrictEqual } from 'node:util';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import type { AppEvent } from '../../src/events/app-event.js';
import type { ChatItem } from '../../web/client/src/chat-item.js';
import type { AguiInterrupt } from '../../src/interrupts/agui-interrupt.js';
import { InlineExecutor } from '../../src/tool-router/executors/inline-executor.js';
import { WhitelistService } from '../../src/whitelist/whitelist.service.js';
import { ChatFold } from '../../web/client/src/chat-fold.js';
import { pipelineFaults } from './agui-pipeline.js';
import { startAgentApp, type AgentApp, type AgentAppOptions } from './agent-app.js';
import type { ApiClient, StreamFrame } from './api-client.js';
import { AskingModule } from './asking-module.js';
import { grammarFaults } from './run-grammar.js';
import { TestClock } from './test-clock.js';

/** What a person says to an interrupt. */
export type Said = { approved: boolean } & Record<string, unknown>;

/** The agent runtime with methods that ask people, executed in this process. */
export interface AskingApp extends AgentApp {
  clock: TestClock;
  person: ApiClient;
  query<T>(sql: string, parameters?: unknown[]): Promise<T[]>;
  /** Texts of all notes, in their order. */
  notes(): Promise<string[]>;
  /** What the thread waits for, as history says. */
  pending(threadId: string): Promise<AguiInterrupt[]>;
  status(runId: string): Promise<unknown>;
  /** Answers what the thread waits for, and follows the run that goes on. */
  answer(threadId: string, payload: object | null): Promise<{ runId: string; events: AppEvent[] }>;
  /** Follows a thread from its first event to the end. */
  events(threadId: string): ReturnType<AgentApp['events']>;
  /** Every run of the thread in good grammar; live and replayed chat equal. */
  check(threadId: string): Promise<ChatItem[]>;
}

/** Seconds in which an interrupt can be answered. */
export const TTL_SECONDS = 120;

export async function startAskingApp(
  replicaOf?: AskingApp,
  env: Record<string, string> = {},
  modules: AgentAppOptions['modules'] = [],
): Promise<AskingApp> {
  const clock = replicaOf?.clock ?? new TestClock();
  const agent = await startAgentApp(
    { INTERRUPT_TTL_SECONDS: String(TTL_SECONDS), PUBLIC_URL: 'http://steward.test', ...env },
    {
      modules: [AskingModule, ...modules],
      override: (builder) => builder.overrideProvider(Clock).useValue(clock),
      ...(replicaOf && { replicaOf }),
    },
  );
  const inline = agent.app.get(InlineExecutor, { strict: false });
  agent.executor.answer = (request, signal) => inline.execute(request, signal);
  const dataSource = agent.app.get(DataSource, { strict: false });
  const query = <T>(sql: string, parameters?: unknown[]) => dataSource.query<T[]>(sql, parameters);
  const person = replicaOf ? agent.client() : await agent.client().register({ locale: 'en' });
  if (replicaOf) {
    person.token = replicaOf.person.token;
  } else {
    await query('CREATE TABLE notes (text text)');
    const whitelist = agent.app.get(WhitelistService, { strict: false });
    const { version } = await whitelist.current();
    await whitelist.replace({ profiles: { chat: { allow: ['*'] } } }, version, person.userId);
  }
  const frames = async (path: string): Promise<StreamFrame[]> => {
    const all: StreamFrame[] = [];
    for await (const frame of person.frames(path)) all.push(frame);
    return all;
  };
  const pending = async (threadId: string) => {
    const { body } = await person.get(`/agent/runs/${threadId}/history`);
    return body['interrupts'] as AguiInterrupt[];
  };
  return {
    ...agent,
    clock,
    person,
    query,
    pending,
    notes: async () =>
      (await query<{ text: string }>('SELECT text FROM notes ORDER BY text')).map(
        ({ text }) => text,
      ),
    status: async (runId) => (await person.get(`/agent/runs/${runId}`)).body['status'],
    answer: async (threadId, payload) => {
      const resume = (await pending(threadId)).map(({ id: interruptId }) =>
        payload
          ? { interruptId, status: 'resolved', payload }
          : { interruptId, status: 'cancelled' },
      );
      const answer = await person.post('/agent/runs', { threadId, resume });
      if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
      const events = await frames(`/agent/runs/${threadId}/events`);
      return {
        runId: String(answer.body['runId']),
        events: events.map(({ event }) => event as unknown as AppEvent),
      };
    },
    check: async (threadId) => {
      const live = await frames(`/agent/runs/${threadId}/events?after=0`);
      const events = live.map(({ event }) => event as unknown as AppEvent);
      const faults = runsOf(events).flatMap(({ run, inherited, clients }) =>
        grammarFaults(run, inherited, clients),
      );
      faults.push(...pipelineFaults(live.map(({ event }) => event)));
      if (faults.length > 0) throw new Error(faults.join('\n'));
      const fold = new ChatFold();
      for (const event of events) fold.apply(event);
      const { body } = await person.get(`/agent/runs/${threadId}/history?limit=200`);
      if (!isDeepStrictEqual(body['messages'], fold.items)) {
        const both = JSON.stringify([body['messages'], fold.items], null, 1);
        throw new Error(`history is not what was streamed: ${both}`);
      }
      return fold.items;
    },
  };
}

/** A thread's events run by run, each with the calls that were open before it. */
function runsOf(events: AppEvent[]): { run: AppEvent[]; inherited: string[]; clients: string[] }[] {
  const open = new Set<string>();
  const clients = new Set<string>();
  const runs: { run: AppEvent[]; inherited: string[]; clients: string[] }[] = [];
  for (const event of events) {
    if (event.type === 'RUN_STARTED') {
      runs.push({ run: [], inherited: [...open], clients: [...clients] });
    }
    runs.at(-1)?.run.push(event);
    if (event.type === 'TOOL_CALL_START') open.add(event.toolCallId);
    if (event.type === 'RUN_FINISHED' && 'pendingCalls' in event) {
      for (const { toolCallId } of event.pendingCalls ?? []) clients.add(toolCallId);
    }
    if (event.type === 'TOOL_CALL_RESULT') open.delete(event.toolCallId);
  }
  return runs;
}
