import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentCapabilitiesSchema as SchemaV1 } from '@ag-ui/core/schemas';
import { AgentCapabilitiesSchema as SchemaV0 } from 'ag-ui-core-v0';
import { startAgentApp, type AgentApp } from '../../../test/support/agent-app.js';
import { agentCapabilities } from './agent-capabilities.js';

const TOOL = { name: 'project_cli', description: 'The only tool.', parameters: {} };
const SETTINGS = {
  MODEL_BASE_URL: 'http://model.test/v1',
  MODEL_REASONING: 'show' as const,
  MODEL_INPUT: ['text' as const, 'image' as const],
  RUN_MAX_TURNS: 7,
  RUN_TIMEOUT_SECONDS: 60,
  CLI_EXECUTOR: 'process' as const,
  ROLE: 'all' as const,
};

describe('the capabilities of the agent', () => {
  let agent: AgentApp;
  beforeAll(async () => {
    agent = await startAgentApp();
  });
  afterAll(() => agent.close());

  it('are read by both versions of AG-UI, and by people who are signed in', async () => {
    const person = await agent.client().register();
    const { status, body } = await person.get('/agent/capabilities');
    expect(status).toBe(200);
    for (const schema of [SchemaV1, SchemaV0]) expect(schema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ tools: { items: [{ name: 'project_cli' }] } });
    expect(await agent.client().get('/agent/capabilities')).toMatchObject({ status: 401 });
  });

  it('are those of the configuration', () => {
    expect(agentCapabilities(SETTINGS, TOOL)).toMatchObject({
      reasoning: { supported: true },
      multimodal: { input: { image: true, pdf: false } },
      execution: { sandboxed: true, maxIterations: 7, maxExecutionTime: 60_000 },
    });
    const other = {
      ...SETTINGS,
      MODEL_REASONING: 'hide' as const,
      CLI_EXECUTOR: 'inline' as const,
    };
    expect(agentCapabilities({ ...other, MODEL_INPUT: ['text', 'file'] }, TOOL)).toMatchObject({
      reasoning: { supported: false },
      multimodal: { input: { image: false, pdf: true } },
      execution: { sandboxed: false },
    });
    // Workers execute the calls, each as it is set.
    const { execution } = agentCapabilities({ ...SETTINGS, ROLE: 'api' }, TOOL);
    expect(execution).not.toHaveProperty('sandboxed');
    // The offline planner neither thinks aloud nor sees anything.
    expect(agentCapabilities({ ...SETTINGS, MODEL_BASE_URL: undefined }, TOOL)).toMatchObject({
      reasoning: { supported: false },
      multimodal: { input: { image: false } },
    });
  });
});
