import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Module, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../src/auth/decorators.js';
import { EventLog } from '../../src/events/event-log.js';
import { EventsModule } from '../../src/events/events.module.js';
import { SseModule } from '../../src/sse/sse.module.js';
import { SseStreamer } from '../../src/sse/sse-streamer.js';
import { ThreadService } from '../../src/threads/thread.service.js';
import { ThreadsModule } from '../../src/threads/threads.module.js';
import { collectComplaints } from '../support/console-complaints.js';
import { play, RUN_SCRIPTS, type RunScript } from '../support/run-script.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { STOCK_CLIENTS } from './stock-clients.js';

let script: RunScript;

/** A streaming POST that plays a script through the real log and the real streamer. */
@Public()
@Controller('agui')
class ScriptedAgent {
  constructor(
    private readonly threads: ThreadService,
    private readonly log: EventLog,
    private readonly streamer: SseStreamer,
  ) {}

  @Post()
  async run(
    @Body() input: Record<string, unknown>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const [threadId, runId] = [String(input.threadId), String(input.runId)];
    await this.threads.claim(threadId, 'usr_1');
    const after = await this.log.head(threadId);
    const { events } = await play(script, threadId, runId);
    const streaming = this.streamer.stream(request, response, {
      threadId,
      after,
      encoding: request.headers['x-encoding'] === 'app' ? 'app' : 'agui',
      untilTerminalOf: runId,
      ...(typeof input.protocolVersion === 'string' && { protocolVersion: input.protocolVersion }),
    });
    for (const { event } of events) await this.log.append(threadId, runId, [event]);
    await streaming;
  }
}

@Module({ imports: [ThreadsModule, EventsModule, SseModule], controllers: [ScriptedAgent] })
class ScriptedModule {}

describe.each(Object.keys(STOCK_CLIENTS))('stock @ag-ui/client %s', (version) => {
  const client = STOCK_CLIENTS[version];
  const complaints = collectComplaints();
  let server: TestApp;
  let turn = 0;

  beforeAll(async () => {
    server = await startTestApp({ modules: [ScriptedModule], env: { SSE_HEARTBEAT_MS: '100' } });
  });
  afterAll(async () => {
    await server.close();
  });

  it.each(Object.entries(RUN_SCRIPTS))('reads "%s" without a complaint', async (_name, next) => {
    script = next;
    turn += 1;
    const runId = `run-${version}-${turn}`;
    const question = { id: 'q', role: 'user', content: next.question };
    const run = await client?.({
      url: `${server.url}/api/v1/agui`,
      threadId: `thread-${version}-${turn}`,
      runId,
      messages: [question],
    });
    expect(complaints).toEqual([]);
    expect(run?.failure).toBeNull();
    const { events } = await play(next, 't', runId);
    expect(run?.types).toEqual(events.map(({ event }) => event.type));
    expect(run?.runError?.code ?? null).toBe(next.outcome === 'error' ? 'TIMEOUT' : null);

    const answers = run?.messages.slice(1) ?? [];
    const texts = [...next.turns.map((part) => part.pieces), next.unfinished]
      .map((pieces) => pieces.join(''))
      .filter((text) => text !== '');
    const said = answers.filter((message) => message.role === 'assistant' && message.content);
    expect(said.map((message) => message.content)).toEqual(texts);

    const calls = next.turns.flatMap((part) => part.calls);
    const announced = answers.flatMap((message) => message.toolCalls ?? []);
    expect(announced.map((call) => JSON.parse(call.function.arguments) as unknown)).toEqual(
      calls.map((call) => ({ module: 'calendar', method: 'read', input: call.input })),
    );
    const results = answers.filter((message) => message.role === 'tool');
    expect(results.map((message) => message.toolCallId)).toEqual(announced.map((call) => call.id));
    for (const [index, call] of calls.entries()) {
      const metadata = results[index]?.metadata;
      expect(metadata).toMatchObject({ status: call.status, toolName: 'project_cli' });
      expect(Array.isArray(metadata?.ui_schema)).toBe(call.card);
    }
  });

  it('would have complained: the app encoding has members that AG-UI does not know', async () => {
    script = RUN_SCRIPTS['a call with a card'] ?? script;
    const run = await client?.({
      url: `${server.url}/api/v1/agui`,
      headers: { 'x-encoding': 'app' },
      threadId: `thread-${version}-app`,
      runId: `run-${version}-app`,
      messages: [{ id: 'q', role: 'user', content: 'x' }],
    });
    expect(complaints.length > 0 || run?.failure !== null).toBe(true);
  });

  it('goes on in the same thread with what it has', async () => {
    const url = `${server.url}/api/v1/agui`;
    const threadId = `thread-${version}-long`;
    let messages = [{ id: 'q1', role: 'user', content: 'first' }];
    for (const [index, name] of ['a call with a card', 'text only'].entries()) {
      script = RUN_SCRIPTS[name] ?? script;
      const run = await client?.({
        url,
        threadId,
        runId: `run-${version}-long-${index}`,
        messages,
      });
      expect(run?.failure).toBeNull();
      messages = [
        ...((run?.messages ?? []) as typeof messages),
        { id: `q${index + 2}`, role: 'user', content: 'more' },
      ];
    }
    expect(complaints).toEqual([]);
    expect(messages.map((message) => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });
});
