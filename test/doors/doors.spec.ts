import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toCliDocument, type CliDocument } from '../../src/tool-router/cli-document.js';
import { CapabilityRegistry } from '../../src/tool-router/capability-registry.js';
import { HttpExecutor } from '../../src/tool-router/executors/http-executor.js';
import { InlineExecutor } from '../../src/tool-router/executors/inline-executor.js';
import { ProcessExecutor } from '../../src/tool-router/executors/process-executor.js';
import type { ToolExecutor } from '../../src/tool-router/tool-executor.js';
import { startProduct, type Product } from '../support/product.js';
import { DOOR_CASES } from './cases.js';
import type { DoorCase } from './door-case.js';
import { setStage, type Stage } from './stage.js';

type Door = (stage: Stage, test: DoorCase, index: number) => Promise<CliDocument>;

/** PROTOCOL §3: every door takes the same way and gives the same document. */
describe('every door', () => {
  let product: Product;

  const through =
    (executor: () => ToolExecutor): Door =>
    async (stage, test, index) => {
      const record = await executor().execute(
        {
          toolCallId: `call_${index}`,
          name: 'project_cli',
          arguments: stage.text(test.call),
          credential: stage.credentials[test.as ?? 'full'] ?? '',
          userId: stage.userId,
          runId: stage.runId,
          threadId: stage.threadId,
          locale: 'zh-CN',
          timezone: 'Asia/Shanghai',
        },
        new AbortController().signal,
      );
      return toCliDocument(record);
    };

  const http: Door = async (stage, test) => {
    const credential = stage.credentials[test.as ?? 'full'];
    const response = await fetch(`${product.url}/api/v1/tools/project_cli`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(credential ? { authorization: `Bearer ${credential}` } : {}),
      },
      body: stage.text(test.call),
    });
    return (await response.json()) as CliDocument;
  };

  const doors: Record<string, Door> = {
    inline: through(() => product.app.get(InlineExecutor, { strict: false })),
    process: through(() => product.app.get(ProcessExecutor, { strict: false })),
    worker: through(() => product.app.get(HttpExecutor, { strict: false })),
    http,
  };
  const outcomes: Record<string, string[]> = {};

  beforeAll(async () => {
    product = await startProduct();
    const admin = await product.client().register();
    const policy = await admin.get('/admin/whitelist');
    const { profiles } = policy.body as { profiles: object };
    const readonly = { allow: ['calendar.read', 'help.*'] };
    const changed = await admin.call(
      'PUT',
      '/admin/whitelist',
      { ...policy.body, profiles: { ...profiles, readonly } },
      { 'if-match': policy.headers.get('etag') ?? '' },
    );
    expect(changed.status).toBe(200);
  }, 60_000);
  afterAll(() => product.close());

  it('has a table that is worth the name', () => {
    expect(DOOR_CASES.length).toBeGreaterThanOrEqual(60);
    expect(new Set(DOOR_CASES.map((test) => test.name)).size).toBe(DOOR_CASES.length);
  });

  it('has a call that succeeds, or waits, for every method that is registered', () => {
    const good = ['success', 'APPROVAL_REQUIRED'];
    const called = DOOR_CASES.flatMap(({ call, expected }) =>
      typeof call === 'object' && 'method' in call && 'module' in call && good.includes(expected)
        ? [`${String(call.module)}.${String(call.method)}`]
        : [],
    );
    const registered = product.app.get(CapabilityRegistry, { strict: false }).list();
    const missing = registered.filter(({ descriptor }) => !called.includes(descriptor.id));
    expect(missing.map(({ descriptor }) => descriptor.id)).toEqual([]);
  });

  describe.each(Object.keys(doors))('%s', (name) => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await setStage(product);
      outcomes[name] = [];
    });

    it.each(DOOR_CASES.map((test, index) => [test.name, test, index] as const))(
      '%s',
      async (_name, test, index) => {
        const document = await doors[name]!(stage, test, index);
        outcomes[name]?.push(`${test.name}: ${stage.neutral(document)}`);
        const outcome = document.ok ? document.status : document.error.code;
        if (outcome !== test.expected) throw new Error(JSON.stringify(document));
        const text = JSON.stringify(document);
        expect(text).not.toContain('ui_hints');
        expect(text).toContain(test.shows ?? '');
      },
    );
  });

  it('gives the same documents, to the byte, times and ids aside', () => {
    expect(outcomes.process).toEqual(outcomes.inline);
    expect(outcomes.worker).toEqual(outcomes.inline);
    expect(outcomes.http).toEqual(outcomes.inline);
  });
});
