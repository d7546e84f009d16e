import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callReply, textReply } from '../support/model-server.js';
import { startScriptedProduct, type ScriptedProduct } from '../support/scripted-product.js';
import { grammarFaults } from '../support/run-grammar.js';
import { EventLog } from '../../src/events/event-log.js';

describe('the product with an OpenAI-compatible endpoint', () => {
  let scripted: ScriptedProduct;
  let endpoint: ScriptedProduct['endpoint'];
  let product: ScriptedProduct['product'];

  beforeAll(async () => {
    scripted = await startScriptedProduct({
      MODEL_API_KEY: 'sk-of-the-model',
    });
    ({ endpoint, product } = scripted);
  });
  afterAll(() => scripted.close());

  it('finds a method, corrects a call, and creates the event through project-cli', async () => {
    const create = {
      module: 'calendar',
      method: 'create',
      input: {
        title: 'Review',
        start_at: '2030-05-06T15:00:00+08:00',
        end_at: '2030-05-06T16:00:00+08:00',
      },
    };
    endpoint.replies = [
      callReply({ module: 'help', method: 'methods', input: { module: 'calendar' } }),
      callReply({ ...create, input: { ...create.input, start_at: 'tomorrow' } }),
      callReply(create),
      textReply('Created ', 'the review.'),
    ];
    const client = await product.client().register();
    const { threadId, frames } = await client.say('Plan a review on 6 May 2030 at three');
    const results = frames.flatMap(({ event }) =>
      event.type === 'TOOL_CALL_RESULT' ? [event] : [],
    );
    expect(results.map(({ status }) => status)).toEqual(['success', 'failure', 'success']);
    expect(results[1]).toMatchObject({ error: { code: 'INVALID_ACTION_INPUT' } });
    expect(results[2]?.ui_schema).toBeTruthy();

    const events = await product.app.get(EventLog).read(threadId, 0, 1000);
    expect(grammarFaults(events.map(({ event }) => event))).toEqual([]);
    const rows = await client.get(
      '/calendar/events?start_at=2030-05-06T00:00:00%2B08:00&end_at=2030-05-07T00:00:00%2B08:00',
    );
    expect(JSON.stringify(rows.body)).toContain('Review');

    const [first, second, third] = endpoint.requests;
    expect(first?.body.tools).toHaveLength(1);
    expect(JSON.stringify(first?.body.tools)).toContain('calendar');
    expect(JSON.stringify(second?.body.messages)).toContain('accept_invite');
    expect(JSON.stringify(third?.body.messages.at(-1))).toContain('issues');
    const shown = JSON.stringify([endpoint.requests.map(({ body }) => body), frames]);
    expect(shown).not.toMatch(/ui_hints|eyJ|sk-of-the-model/);
    expect(product.logs.join('')).not.toMatch(/eyJ|sk-of-the-model/);
  });
});
