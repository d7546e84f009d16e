import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toCliDocument } from '../../src/tool-router/cli-document.js';
import { ToolGateway } from '../../src/tool-router/tool-gateway.js';
import type { ApiClient } from '../support/api-client.js';
import { startProduct, type Product } from '../support/product.js';
import { checkToolDocument, refuse } from './fuzz/answer-rules.js';
import { capabilityList, type Capability } from './fuzz/capability-list.js';
import { Finds } from './fuzz/finds.js';
import { FUZZ_TIMEOUT, fuzz } from './fuzz/settings.js';
import { toolCalls, type FuzzedCall } from './fuzz/tool-calls.js';

const ENV = { LOG_LEVEL: 'error', CLI_EXECUTOR: 'inline', CALENDAR_IMPORT_FROM: 'off' };
/** Calls that are under way together. */
const AT_ONCE = 8;

describe('hostile calls of project_cli', () => {
  let product: Product;
  let person: ApiClient;
  let capabilities: Capability[];
  const finds = new Finds();
  let credential = '';

  beforeAll(async () => {
    product = await startProduct(ENV);
    person = await product.client().register();
    capabilities = capabilityList(product.app);
    const policy = { profiles: { chat: { allow: ['*'] } } };
    const allowed = await person.call('PUT', '/admin/whitelist', policy, { 'if-match': '"1"' });
    if (allowed.status !== 200) throw new Error(JSON.stringify(allowed.body));
  }, 60_000);
  afterAll(() => product.close());

  /** A credential is over after minutes; a long run needs several. */
  const withCredential = async (): Promise<string> => {
    const check = await product.client().call('POST', '/tools/project_cli', '{}', bearer());
    if (check.status === 401) ({ credential } = await person.credential());
    return credential;
  };
  const bearer = () => ({ authorization: `Bearer ${credential}` });

  const throughGateway = async ({ call, toolCallId }: FuzzedCall): Promise<void> => {
    const record = await product.app.get(ToolGateway, { strict: false }).invoke(
      {
        credential,
        call: typeof call === 'string' ? finds.fill(call) : filled(call),
        ...(toolCallId === undefined ? {} : { toolCallId }),
        door: 'http',
      },
      new AbortController().signal,
    );
    const answer = JSON.stringify(toCliDocument(record));
    checkToolDocument(200, answer);
    finds.learn(answer);
  };
  const filled = (call: unknown): unknown => JSON.parse(finds.fill(JSON.stringify(call)));

  const throughHttp = async ({ call, toolCallId }: FuzzedCall): Promise<void> => {
    const text = finds.fill(typeof call === 'string' ? call : JSON.stringify(call));
    const plain = toolCallId !== undefined && /^[\x20-\x7e]*$/.test(toolCallId);
    const response = await product.client().raw('/tools/project_cli', {
      method: 'POST',
      headers: {
        ...bearer(),
        'content-type': 'application/json',
        ...(plain ? { 'x-project-cli-context': JSON.stringify({ tool_call_id: toolCallId }) } : {}),
      },
      body: text,
    });
    const answer = await response.text();
    const oddId = plain && !/^[\x21-\x7e]{1,200}$/.test(finds.fill(toolCallId));
    if (!oddId) checkToolDocument(response.status, answer);
    else if (response.status >= 500) refuse(`${response.status} for the context`, answer);
    finds.learn(answer);
  };

  it.each([
    ['the gateway', 250, throughGateway],
    ['the HTTP tool door', 100, throughHttp],
  ])(
    'end as a coded record through %s',
    async (_door, runs, send) => {
      const calls = fc.array(toolCalls(capabilities), { maxLength: AT_ONCE, size: 'max' });
      await fc.assert(
        fc.asyncProperty(calls, async (batch) => {
          await withCredential();
          await Promise.all(batch.map(send));
        }),
        fuzz(runs),
      );
      expect(product.logs).toEqual([]);
    },
    FUZZ_TIMEOUT,
  );
});
