import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Clock } from '../../../common/clock.js';
import type { JsonObject } from '../../../common/json.js';
import { StewardError } from '../../../common/steward-error.js';
import { APP_CONFIG, readConfig } from '../../../config/app-config.js';
import type { ToolAgentOutput } from '../../../tool-output/tool-agent-output.js';
import { toCliDocument } from '../../cli-document.js';
import { parseToolCall } from '../../parse-tool-call.js';
import { failureRecord, successRecord } from '../../pipeline/record-builder.js';
import { ToolRecordStore, type RunCall } from '../../records/tool-record.store.js';
import type { ExecutionRequest } from '../../tool-executor.js';
import { ToolGateway, type GatewayRequest } from '../../tool-gateway.js';
import { CallSettlement } from '../call-settlement.js';
import { HttpExecutor } from '../http-executor.js';
import { InlineExecutor } from '../inline-executor.js';
import { ListeningAddress } from '../listening-address.js';
import { ProcessExecutor } from '../process-executor.js';

export const request = (more: Partial<ExecutionRequest> = {}): ExecutionRequest => ({
  toolCallId: 'call_1',
  name: 'project_cli',
  arguments: '{"module":"calendar","method":"read","input":{"mode":"day","date":"2026-04-21"}}',
  credential: 'credential',
  userId: 'usr_1',
  runId: 'run_1',
  threadId: 'thr_1',
  locale: 'zh-CN',
  timezone: 'Asia/Shanghai',
  ...more,
});

export const never = () => new AbortController().signal;
const now = new Date('2026-04-21T00:00:00Z');

/** The record that a router would make of the request. */
export function recordOf(
  { toolCallId, arguments: text, locale }: ExecutionRequest,
  outcome: JsonObject | StewardError,
): ToolAgentOutput {
  const facts = { toolCallId, args: parseToolCall(text).args, startedAt: now, locale };
  if (outcome instanceof StewardError) return failureRecord(facts, outcome, now);
  const success = { status: 'success' as const, data: outcome, input: facts.args.input };
  return successRecord(facts, { ...success, repairs: [], uiHints: null, summary: undefined }, now);
}

/** What the router recorded, by run and call. */
export const stored = new Map<string, ToolAgentOutput>();
export const store = {
  fails: false,
  find({ userId, runId, toolCallId }: RunCall): Promise<ToolAgentOutput | null> {
    if (this.fails) return Promise.reject(new Error('connection lost'));
    return Promise.resolve(stored.get(`${userId} ${runId} ${toolCallId}`) ?? null);
  },
};

/** Calls that came to the gateway without a way over the tool door. */
export const direct: GatewayRequest[] = [];
const gateway = {
  invoke(call: GatewayRequest): Promise<ToolAgentOutput> {
    direct.push(call);
    return Promise.resolve(recordOf(request(), new StewardError('INVALID_TOOL_CALL', 'No.')));
  },
};

interface Asked {
  headers: JsonObject;
  body: unknown;
}
export const asked: Asked[] = [];
/** What the tool door does with the next call. */
export const door: { reply(response: ServerResponse): void } = { reply: () => undefined };
const server = createServer((incoming, response) => {
  let body = '';
  incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
  incoming.on('end', () => {
    const { authorization, 'x-project-cli-context': context } = incoming.headers;
    asked.push({
      headers: { authorization, context: typeof context === 'string' ? context : '' },
      body: JSON.parse(body),
    });
    door.reply(response);
  });
});

/** The router answers with `record`, and has stored it before. */
export const answer = (record: ToolAgentOutput, keep = true) => {
  door.reply = (response) => {
    if (keep) stored.set(`usr_1 run_1 ${record.tool_call_id}`, record);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(toCliDocument(record)));
  };
};

let url = '';

/** @param listens whether the process does already; `listen` makes it. */
export async function executors(env: Record<string, string> = {}, listens = true) {
  const module = await Test.createTestingModule({
    providers: [
      ProcessExecutor,
      HttpExecutor,
      CallSettlement,
      InlineExecutor,
      ListeningAddress,
      Clock,
      { provide: ToolGateway, useValue: gateway },
      { provide: ToolRecordStore, useValue: store },
      { provide: APP_CONFIG, useValue: readConfig(env) },
    ],
  }).compile();
  module.useLogger(false);
  const listen = (): void => module.get(ListeningAddress).set(url);
  if (listens) listen();
  return {
    listen,
    child: module.get(ProcessExecutor),
    http: module.get(HttpExecutor),
    inline: module.get(InlineExecutor),
  };
}

/** Starts the tool door, and clears what is known of its calls before each test. */
export function useToolDoor(): void {
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address === 'string' || !address) throw new Error('no address');
    url = `http://127.0.0.1:${address.port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    stored.clear();
    direct.length = 0;
    asked.length = 0;
    store.fails = false;
    door.reply = () => undefined;
  });
}
