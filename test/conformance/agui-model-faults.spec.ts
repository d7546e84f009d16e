import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MODEL_FAULT_ENV, MODEL_FAULTS } from '../support/model-fault-cases.js';
import type { ApiClient } from '../support/api-client.js';
import { collectComplaints } from '../support/console-complaints.js';
import { textReply } from '../support/model-server.js';
import { MODEL_SHAPES } from '../support/model-shapes/index.js';
import { startScriptedProduct, type ScriptedProduct } from '../support/scripted-product.js';
import { STOCK_AGENTS } from './stock-agent.js';

/** What models do over HTTP (silence, garbage, refusals, odd calls), as stock clients see it. */
describe.each(Object.keys(STOCK_AGENTS))('stock @ag-ui/client %s', (version) => {
  let scripted: ScriptedProduct;
  let person: ApiClient;
  const complaints = collectComplaints();
  let turn = 0;

  beforeAll(async () => {
    scripted = await startScriptedProduct(MODEL_FAULT_ENV);
    person = await scripted.product.client().register({ locale: 'en' });
  }, 60_000);
  afterAll(() => scripted.close());
  afterEach(() => {
    scripted.endpoint.replies = [];
  });

  /** One run of a new conversation, every event of which passed the client's own checks. */
  async function run() {
    turn += 1;
    const threadId = `faults-${version}-${turn}`;
    const agent = STOCK_AGENTS[version]?.({
      url: `${scripted.product.url}/api/v1/agent/runs`,
      headers: { authorization: `Bearer ${person.token}` },
      threadId,
    });
    if (!agent) throw new Error('no such client');
    agent.add({ id: `said-${turn}`, role: 'user', content: 'Hello' });
    const seen = await agent.run({ runId: `run-${threadId}` });
    expect(complaints).toEqual([]);
    expect(seen.failure).toBeNull();
    expect(seen.types[0]).toBe('RUN_STARTED');
    expect(seen.types.filter((type) => /^RUN_(FINISHED|ERROR)$/.test(type))).toEqual([
      seen.types.at(-1),
    ]);
    return seen;
  }

  it.each(MODEL_FAULTS.map((fault) => [fault.name, fault] as const))(
    'reads a run whose model %s',
    async (_name, fault) => {
      scripted.endpoint.replies = [...fault.replies];
      const seen = await run();
      expect(seen.types.at(-1)).toBe(fault.code ? 'RUN_ERROR' : 'RUN_FINISHED');
      expect(seen.runError?.code).toBe(fault.code);
      const count = (type: string) => seen.types.filter((one) => one === type).length;
      expect(count('TOOL_CALL_RESULT')).toBe(fault.results?.length ?? 0);
      expect(count('CUSTOM')).toBe(fault.retries ?? 0);
    },
  );

  it.each(
    MODEL_SHAPES.filter(({ calls }) => calls > 0).map((shape) => [shape.name, shape] as const),
  )('reads a run whose model calls in the way of %s', async (_name, shape) => {
    const args = ['a', 'b'].slice(0, shape.calls).map((query) => ({
      module: 'help',
      method: 'search',
      input: { query },
    }));
    scripted.endpoint.replies = [shape.reply(args), textReply('Done.')];
    const seen = await run();
    expect(seen.types.at(-1)).toBe('RUN_FINISHED');
    const results = seen.types.filter((type) => type === 'TOOL_CALL_RESULT');
    expect(results).toHaveLength(args.length);
    expect(seen.types.includes('REASONING_MESSAGE_CONTENT')).toBe(shape.expected.reasoning !== '');
  });
});
