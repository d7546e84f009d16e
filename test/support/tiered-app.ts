import { randomUUID } from 'node:crypto';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { ChatFold, type AppEvent, type ChatItem } from '../../web/client/src/index.js';
import { OutputSweeper } from '../../src/output-storage/output-sweeper.js';
import { InlineExecutor } from '../../src/tool-router/executors/inline-executor.js';
import { WhitelistService } from '../../src/whitelist/whitelist.service.js';
import { callsTool, says, startAgentApp, type AgentApp } from './agent-app.js';
import type { ApiClient } from './api-client.js';
import { BulkModule } from './bulk-module.js';

/** Milliseconds that an operation of the store gets; a healthy one needs far less. */
export const STORE_DEADLINE_MS = 1_500;

/** Items of a result that is well above the inline tier, and of one that is well below. */
export const LARGE = 400;
export const SMALL = 3;

/** The agent runtime with real calls of any size, and what a test looks at. */
export interface TieredApp extends AgentApp {
  person: ApiClient;
  sweeper: OutputSweeper;
  query<T>(sql: string, parameters?: unknown[]): Promise<T[]>;
  /** One run that makes these `bulk.list` calls and then says something. */
  run(threadId: string, ...inputs: object[]): Promise<ChatItem[]>;
  /** The chat as a client has it that loads history. */
  history(threadId: string): Promise<ChatItem[]>;
  /** The chat as a client has it that follows the stream from the first event. */
  stream(threadId: string): Promise<ChatItem[]>;
  /** State of each tool message of the thread, in order. */
  states(threadId: string): Promise<string[]>;
}

export interface TieredOptions {
  env?: Record<string, string>;
  override?: ((builder: TestingModuleBuilder) => TestingModuleBuilder) | undefined;
  replicaOf?: TieredApp;
}

export async function startTieredApp(options: TieredOptions = {}): Promise<TieredApp> {
  const { replicaOf, override } = options;
  const env = {
    TOOL_OUTPUT_READ_TIMEOUT_MS: String(STORE_DEADLINE_MS),
    TOOL_OUTPUT_WRITE_TIMEOUT_MS: String(STORE_DEADLINE_MS),
    // Tests sweep when they want to.
    TOOL_OUTPUT_SWEEP_SECONDS: '3600',
    PUBLIC_URL: 'http://steward.test',
    ...options.env,
  };
  const app = await startAgentApp(env, {
    modules: [BulkModule],
    ...(override && { override }),
    ...(replicaOf && { replicaOf }),
  });
  const inline = app.app.get(InlineExecutor, { strict: false });
  app.executor.answer = (request, signal) => inline.execute(request, signal);
  const person = replicaOf ? app.client() : await app.client().register();
  if (replicaOf) {
    person.token = replicaOf.person.token;
    person.userId = replicaOf.person.userId;
  } else {
    const whitelist = app.app.get(WhitelistService, { strict: false });
    const { version } = await whitelist.current();
    await whitelist.replace({ profiles: { chat: { allow: ['*'] } } }, version, person.userId);
  }
  const dataSource = app.app.get(DataSource, { strict: false });
  const tiered: TieredApp = {
    ...app,
    person,
    sweeper: app.app.get(OutputSweeper, { strict: false }),
    query: (sql, parameters) => dataSource.query(sql, parameters),
    run: async (threadId, ...inputs) => {
      const calls = inputs.map((input) => ({ module: 'bulk', method: 'list', input }));
      app.model.turns = [callsTool(...calls), says('Here it is.')];
      const { frames } = await person.say('list', threadId);
      const last = frames.at(-1)?.event.type;
      if (last !== 'RUN_FINISHED')
        throw new Error(`the run ended with ${last}: ${JSON.stringify(frames.at(-1)?.event)}`);
      return fold(frames.map(({ event }) => event));
    },
    history: async (threadId) => {
      const answer = await person.get(`/agent/runs/${threadId}/history?limit=200`);
      if (answer.status !== 200) throw new Error(`history: ${answer.status}`);
      return new ChatFold(answer.body.messages as ChatItem[]).items;
    },
    stream: async (threadId) => {
      const events: { type: string }[] = [];
      for await (const { event } of person.frames(`/agent/runs/${threadId}/events?after=0`)) {
        events.push(event);
      }
      return fold(events);
    },
    states: async (threadId) => {
      const rows = await dataSource.query<{ state: string }[]>(
        `SELECT metadata->>'storage_state' AS state FROM agent_messages
         WHERE thread_id = $1 AND role = 'tool' ORDER BY seq`,
        [threadId],
      );
      return rows.map(({ state }) => state);
    },
  };
  return tiered;
}

/** Ids as a client makes them, also with characters that no key has. */
export const threadName = (): string => `t~:${randomUUID()}`;

/** What a client does with the JSON of a stream. */
function fold(events: object[]): ChatItem[] {
  const chat = new ChatFold();
  for (const event of events) chat.apply(event as AppEvent);
  return chat.items;
}
