import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SampleModule } from '../../test/support/sample-module.js';
import { startTestRouter, type TestRouter } from '../../test/support/tool-router.js';

describe('the door of a record', () => {
  let router: TestRouter;

  beforeAll(async () => {
    router = await startTestRouter([SampleModule]);
  });
  afterAll(() => router.close());

  /** The door that is recorded of a call over HTTP under the credential. */
  async function doorOf(credential: string, toolCallId: string): Promise<string | undefined> {
    const response = await fetch(`${router.url}/api/v1/tools/project_cli`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${credential}`,
        'content-type': 'application/json',
        'x-project-cli-context': JSON.stringify({ tool_call_id: toolCallId }),
      },
      body: JSON.stringify({ module: 'sample', method: 'echo', input: { times: 1 } }),
    });
    expect(await response.json()).toMatchObject({ ok: true });
    const rows = await router.uow.manager.query<{ door: string }[]>(
      'SELECT door FROM tool_calls WHERE tool_call_id = $1',
      [toolCallId],
    );
    return rows[0]?.door;
  }

  it('is the agent’s for a run, whose executor takes the way over HTTP', async () => {
    const credential = await router.credential({ runId: 'run_1', actor: 'agent-runtime' });
    expect(await doorOf(credential, 'call_run')).toBe('agent');
  });

  it('is HTTP for everybody else', async () => {
    expect(await doorOf(await router.credential(), 'call_http')).toBe('http');
  });
});
