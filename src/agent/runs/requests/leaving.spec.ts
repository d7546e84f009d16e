import { afterEach, describe, expect, it } from '@jest/globals';
import { says, startAgentApp, type AgentApp } from '../../../../test/support/agent-app.js';
import { grammarFaults } from '../../../../test/support/run-grammar.js';

/** What becomes of a run whose client leaves its streaming POST: the deployment decides, and a request over it. */
describe('leaving a streaming POST', () => {
  let agent: AgentApp;

  afterEach(() => agent.close());

  it.each<[deployment: string, request: string | null, outcome: string]>([
    ['continue', null, 'success'],
    ['cancel', null, 'cancelled'],
    ['cancel', 'continue', 'success'],
    ['continue', 'cancel', 'cancelled'],
  ])(
    'with RUN_ON_DISCONNECT=%s and the header %s is a run that ends as %s',
    async (deployment, request, outcome) => {
      agent = await startAgentApp({ RUN_ON_DISCONNECT: deployment });
      const client = await agent.client().register();
      let release = (): void => undefined;
      const left = new Promise<void>((resolve) => {
        release = resolve;
      });
      agent.model.turns = [
        async function* turn() {
          yield { type: 'text', delta: 'so far' };
          await left;
          yield* says('the rest');
        },
      ];
      const controller = new AbortController();
      const reading = async () => {
        for await (const { event } of client.frames('/agent/runs', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(request && { 'x-run-on-disconnect': request }),
          },
          body: JSON.stringify({ message: 'go', threadId: 'left' }),
          signal: controller.signal,
        })) {
          if (event.type === 'TEXT_MESSAGE_CONTENT') controller.abort();
        }
      };
      await expect(reading()).rejects.toThrow();
      if (outcome === 'success') release();
      for await (const _frame of client.frames('/agent/runs/left/events'));
      const events = await agent.events('left');
      expect(grammarFaults(events)).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome });
      release();
    },
  );
});
