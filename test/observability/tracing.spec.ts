import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tracing } from '../../src/observability/tracing.js';
import type { ApiClient } from '../support/api-client.js';
import {
  callReply,
  startModelServer,
  textReply,
  type ModelServer,
} from '../support/model-server.js';
import { startProduct, type Product } from '../support/product.js';
import { SpanCollector, attribute, type ReceivedSpan } from './span-collector.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

/** The product with project-cli children, and a collector that gets its spans over HTTP. */
describe('tracing', () => {
  const collector = new SpanCollector();
  let endpoint: string;
  let model: ModelServer;
  let product: Product;
  let person: ApiClient;

  beforeAll(async () => {
    model = await startModelServer();
    endpoint = await collector.start();
    product = await startProduct({
      MODEL_BASE_URL: model.baseUrl,
      MODEL_NAME: 'scripted-model',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key',
    });
    person = await product.client().register({ locale: 'en' });
  });
  afterAll(async () => {
    await product.close();
    await model.close();
    await collector.stop();
  });

  /** The spans of a run that asks for one call, under a trace of the client's. */
  async function traced(module: string, method: string): Promise<ReceivedSpan[]> {
    collector.spans.length = 0;
    model.replies.push(
      callReply({ module, method, input: { query: 'a secret question' } }),
      textReply('a secret answer'),
    );
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
    const created = await person.post('/agent/runs', { message: 'a secret wish' }, headers);
    const { threadId } = created.body as { threadId: string };
    for await (const frame of person.frames(`/agent/runs/${threadId}/events?after=0`)) void frame;
    const ended = () => collector.spans.some(({ name }) => name.startsWith('invoke_agent'));
    // The stream ends with the run's terminal event, its span a moment later.
    while (!ended()) await product.app.get(Tracing, { strict: false }).flush();
    return collector.spans.filter(({ traceId }) => traceId === TRACE);
  }
  const named = (spans: ReceivedSpan[], name: string): ReceivedSpan[] =>
    spans.filter((span) => span.name === name);

  it('makes one tree of a run, from the client’s request to behind the tool door', async () => {
    const spans = await traced('help', 'search');
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const above = (span: ReceivedSpan | undefined) => byId.get(span?.parentSpanId ?? '');
    const [agent] = named(spans, 'invoke_agent steward');
    expect(agent?.parentSpanId).toBe(PARENT);
    const stages = spans.filter(({ name }) => name.startsWith('stage '));
    expect(stages.map(({ name }) => name)).toEqual([
      'stage intent',
      'stage execution',
      'stage report',
    ]);
    expect(stages.map((stage) => above(stage))).toEqual([agent, agent, agent]);
    const chats = named(spans, 'chat scripted-model');
    expect(chats.map((chat) => above(chat)?.name)).toEqual(['stage intent', 'stage execution']);
    const [tool] = named(spans, 'execute_tool project_cli');
    expect(above(tool)?.name).toBe('stage execution');
    // Its parent was in the environment of a child, which sent it to the door.
    const [call] = named(spans, 'call help.search');
    expect(above(call)).toBe(tool);
    expect(spans.every((span) => span.traceId === TRACE)).toBe(true);
  });

  it('goes on with the trace of a run that waited, in the process that executes it', async () => {
    const env = { ROLE: 'api', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
    const api = await startProduct(env, product);
    try {
      collector.spans.length = 0;
      model.replies.push(textReply('an answer'));
      const client = api.client();
      client.token = person.token;
      const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
      const created = await client.post('/agent/runs', { message: 'wait' }, headers);
      const { threadId } = created.body as { threadId: string };
      for await (const frame of client.frames(`/agent/runs/${threadId}/events?after=0`)) void frame;
      const ended = () => named(collector.spans, 'invoke_agent steward');
      while (ended().length === 0) await product.app.get(Tracing, { strict: false }).flush();
      expect(ended()).toMatchObject([{ traceId: TRACE, parentSpanId: PARENT }]);
    } finally {
      await api.close();
    }
  });

  it('says of spans what the conventions for GenAI ask, and nothing that somebody said', async () => {
    const spans = await traced('help', 'search');
    const [agent] = named(spans, 'invoke_agent steward');
    expect(attribute(agent, 'gen_ai.operation.name')).toBe('invoke_agent');
    expect(attribute(agent, 'gen_ai.conversation.id')).toMatch(/^thr_/);
    expect(attribute(agent, 'steward.run.outcome')).toBe('success');
    const [chat] = named(spans, 'chat scripted-model');
    expect(chat?.kind).toBe(3);
    expect(attribute(chat, 'gen_ai.request.model')).toBe('scripted-model');
    expect(attribute(chat, 'gen_ai.provider.name')).toBe('openai_compatible');
    // What was asked for, and what the endpoint says has answered.
    expect(attribute(chat, 'gen_ai.response.model')).toBe('scripted');
    const { hostname, port } = new URL(model.baseUrl);
    expect(attribute(chat, 'server.address')).toBe(hostname);
    expect(attribute(chat, 'server.port')).toBe(Number(port));
    const [tool] = named(spans, 'execute_tool project_cli');
    expect(attribute(tool, 'gen_ai.tool.call.id')).toMatch(/^call_/);
    expect(collector.bodies.join('')).not.toContain('secret');
    expect(collector.headers[0]).toMatchObject({ path: '/v1/traces', 'x-key': 'a key' });
  });

  it('tells of each try of a model what it took and how it ended, or with what it failed', async () => {
    model.replies.push({ status: 503, lines: [{ error: { message: 'a secret reason' } }] });
    const spans = await traced('help', 'search');
    const chats = named(spans, 'chat scripted-model');
    expect(chats.map((chat) => attribute(chat, 'steward.request.attempt'))).toEqual([1, 2, 1]);
    const [failed, called, answered] = chats;
    expect(attribute(failed, 'error.type')).toBe('DEPENDENCY_UNAVAILABLE');
    expect(failed?.status.code).toBe(2);
    expect(attribute(failed, 'gen_ai.usage.input_tokens')).toBeUndefined();
    expect(attribute(failed, 'gen_ai.response.model')).toBeUndefined();
    expect(attribute(failed, 'server.port')).toBe(attribute(answered, 'server.port'));
    expect(attribute(called, 'gen_ai.response.finish_reasons')).toEqual(['tool_calls']);
    expect(attribute(answered, 'gen_ai.response.finish_reasons')).toEqual(['stop']);
    expect(attribute(answered, 'gen_ai.usage.input_tokens')).toBe(10);
    expect(attribute(answered, 'gen_ai.usage.output_tokens')).toBe(5);
    expect(collector.bodies.join('')).not.toContain('secret');
  });

  it('marks what failed with its code', async () => {
    const spans = await traced('nothing', 'here');
    for (const name of ['execute_tool project_cli', 'call unknown']) {
      const [span] = named(spans, name);
      expect(attribute(span, 'error.type')).toBe('MODULE_NOT_FOUND');
      expect(span?.status.code).toBe(2);
    }
    const [agent] = named(spans, 'invoke_agent steward');
    expect(attribute(agent, 'error.type')).toBeUndefined();
  });
});
