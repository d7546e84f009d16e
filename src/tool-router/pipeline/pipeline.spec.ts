import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Gate, SampleModule, TOKEN, trace } from '../../../test/support/sample-module.js';
import { startTestRouter, type TestRouter } from '../../../test/support/tool-router.js';
import { projectResult } from '../../tool-output/projection.js';
import { CapabilityRegistry } from '../capability-registry.js';
import { InputPipe } from './input.pipe.js';
import { PostProcessor } from './post-processor.interceptor.js';
import { WhitelistGuard } from './whitelist.guard.js';

describe('a call through Nest', () => {
  let router: TestRouter;
  let gate: Gate;

  beforeAll(async () => {
    const { canActivate } = WhitelistGuard.prototype;
    const { transform } = InputPipe.prototype;
    const { intercept } = PostProcessor.prototype;
    jest.spyOn(WhitelistGuard.prototype, 'canActivate').mockImplementation(function (
      this: WhitelistGuard,
      context,
    ) {
      trace.push('guard');
      return canActivate.call(this, context);
    });
    jest.spyOn(InputPipe.prototype, 'transform').mockImplementation(function (
      this: InputPipe,
      ...args
    ) {
      trace.push('pipe');
      return transform.apply(this, args);
    });
    jest.spyOn(PostProcessor.prototype, 'intercept').mockImplementation(function (
      this: PostProcessor,
      ...args
    ) {
      trace.push('post-processor');
      return intercept.apply(this, args);
    });
    router = await startTestRouter([SampleModule], { TOOL_OUTPUT_MAX_BYTES: '2048' });
    gate = router.app.get(Gate);
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await router.close();
  });

  beforeEach(() => {
    trace.length = 0;
  });

  it('runs guard, post-processor, pipe and handler in this order, then the post-processor', async () => {
    const record = await router.call('sample', 'echo', { times: '2', text: 'ab' });
    expect(trace).toEqual(['guard', 'post-processor', 'pipe', 'handler', 'ui']);
    expect(record).toMatchObject({
      tool_name: 'project_cli',
      status: 'success',
      tool_call_args: { module: 'sample', method: 'echo', input: { times: '2', text: 'ab' } },
      result: {
        module: 'sample',
        method: 'echo',
        data: { isClass: true, frozen: true, text: 'abab', zone: 'Asia/Shanghai' },
      },
      error: null,
      ui_hints: null,
      repairs: [{ path: 'times', from: '2', to: 2 }],
      summary: 'Echoed',
    });
    expect(record.tool_call_id).toMatch(/^call_/);
  });

  it('records no token that a method returns or throws, and the model gets what is recorded', async () => {
    const returned = await router.call('sample', 'odd', { times: 1, text: 'token' });
    expect(returned.result?.data).toEqual({
      ownerId: 'usr_1',
      notes: ['see [redacted]'],
      '[redacted]': { url: 'x?t=[redacted]' },
    });
    expect(JSON.parse(projectResult(returned))).toEqual({
      status: 'success',
      ...(returned.result?.data as object),
    });
    const thrown = await router.call('sample', 'fail', { times: 1, text: 'token' });
    expect(thrown.error).toMatchObject({
      code: 'CONFLICT',
      message: 'Refused: [redacted]',
      issues: [{ path: '[redacted]', message: 'no', received: '[redacted]' }],
    });
    expect(JSON.stringify([returned, thrown])).not.toContain(TOKEN);
  });

  it('stops at a denial: nothing after the guard runs', async () => {
    const { version } = await router.whitelist.current();
    await router.whitelist.replace(
      { profiles: { chat: { allow: ['*'], deny: ['sample.fail'] } } },
      version,
      'admin',
    );
    const record = await router.call('sample', 'fail', { times: 1 });
    expect(trace).toEqual(['guard']);
    expect(record).toMatchObject({
      status: 'failure',
      result: null,
      error: { code: 'METHOD_NOT_ALLOWED', module: 'sample', method: 'fail', retryable: false },
    });
    expect(record.error?.allowed).toContain('sample.echo');
    expect(record.error?.allowed).not.toContain('sample.fail');
    await router.whitelist.replace({ profiles: { chat: { allow: ['*'] } } }, version + 1, 'admin');
  });

  it('stops at the pipe: the handler does not run, and the error says what is accepted', async () => {
    const record = await router.call('sample', 'echo', { times: 99, txt: 'a' });
    expect(trace).toEqual(['guard', 'post-processor', 'pipe']);
    expect(record.error).toMatchObject({
      code: 'INVALID_ACTION_INPUT',
      input_schema: { times: 'integer 1..9', text: 'string optional' },
    });
    expect(record.error?.issues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'times' }),
        expect.objectContaining({ path: 'txt', message: 'Unknown key. Did you mean "text"?' }),
      ]),
    );
  });

  it("keeps a handler's known error and hides an unknown one", async () => {
    const known = await router.call('sample', 'fail', { times: 1, text: 'known' });
    expect(trace).toEqual(['guard', 'post-processor', 'pipe', 'handler']);
    expect(known.error).toMatchObject({ code: 'NOT_FOUND', message: 'There is no such thing.' });
    const rule = await router.call('sample', 'fail', { times: 1, text: 'rule' });
    expect(rule.error).toMatchObject({
      code: 'INVALID_ACTION_INPUT',
      message: 'Not so.',
      input_schema: { times: 'integer 1..9' },
    });
    const unknown = await router.call('sample', 'fail', { times: 1 });
    expect(unknown.error).toMatchObject({ code: 'INTERNAL' });
    expect(JSON.stringify(unknown)).not.toContain('passwd');
  });

  it('ends a method whose time is over, and tells it so', async () => {
    const record = await router.call('sample', 'slow');
    expect(record.error).toMatchObject({ code: 'TIMEOUT', retryable: true });
    expect(gate.signal?.aborted).toBe(true);
  });

  it('ends a call whose caller goes, and does not start one whose caller has gone', async () => {
    const caller = new AbortController();
    const started = new Promise<void>((resolve) => (gate.open = resolve));
    const call = router.call('sample', 'endless', {}, { signal: caller.signal });
    await started;
    caller.abort();
    expect((await call).error?.code).toBe('CANCELLED');
    expect(gate.signal?.aborted).toBe(true);
    trace.length = 0;
    const late = await router.call('sample', 'endless', {}, { signal: caller.signal });
    expect(late.error?.code).toBe('CANCELLED');
    expect(trace).toEqual([]);
  });

  it('marks a batch with failures partial', async () => {
    const record = await router.call('sample', 'odd', { times: 1, text: 'partial' });
    expect(record).toMatchObject({ status: 'partial', error: null });
    expect(record.result?.data).toEqual({ items: [{ id: 'a' }, { error: 'b' }] });
  });

  it.each([
    ['nan', 'OUTPUT_INVALID'],
    ['map', 'OUTPUT_INVALID'],
    ['large', 'OUTPUT_TOO_LARGE'],
  ])('refuses output that is not JSON or too large: %s', async (text, code) => {
    const record = await router.call('sample', 'odd', { times: 1, text });
    expect(record).toMatchObject({ status: 'failure', result: null, error: { code } });
  });

  it('converts dates and records by its rules, and nothing to null', async () => {
    const converted = await router.call('sample', 'odd', { times: 1, text: 'instance' });
    expect(converted.result?.data).toEqual({
      point: { x: 3 },
      when: '1970-01-01T00:00:00.000Z',
    });
    expect((await router.call('sample', 'odd', { times: 1 })).result?.data).toBeNull();
  });

  it('shows a card, and loses only the card when its template fails', async () => {
    const card = await router.call('sample', 'echo', { times: 1, text: 'card' });
    expect(card.ui_hints).toMatchObject({ template: 'sample.echo' });
    const broken = await router.call('sample', 'echo', { times: 1, text: 'bad card' });
    expect(broken).toMatchObject({ status: 'success', ui_hints: null });
  });

  it('takes the methods of a dynamic group the same way, and lets them go', async () => {
    const registry = router.app.get(CapabilityRegistry);
    registry.registerGroup(
      'lsp',
      [
        {
          descriptor: {
            id: 'lsp.hover',
            module: 'lsp',
            method: 'hover',
            version: 1,
            description: 'Hovers.',
            inputSchema: {
              type: 'object',
              properties: { line: { type: 'integer' } },
              required: ['line'],
              additionalProperties: false,
            },
            outputSchema: { type: 'object' },
            effect: 'read',
            risk: 'low',
            requiresApproval: false,
            timeoutMs: 1000,
            group: 'lsp',
            examples: [],
          },
          handler: (input, context) => {
            trace.push('handler');
            return Promise.resolve({
              ...input,
              frozen: Object.isFrozen(input),
              id: context.userId,
            });
          },
        },
      ],
      [{ name: 'lsp', description: 'Code.' }],
    );
    const good = await router.call('lsp', 'hover', { line: '3' });
    expect(trace).toEqual(['guard', 'post-processor', 'pipe', 'handler']);
    expect(good.result?.data).toEqual({ line: 3, frozen: true, id: router.principal.userId });
    const bad = await router.call('lsp', 'hover', { lin: 3 });
    expect(bad.error?.code).toBe('INVALID_ACTION_INPUT');
    registry.setEnabled('lsp.hover', false);
    expect((await router.call('lsp', 'hover', { line: 3 })).error?.code).toBe('METHOD_DISABLED');
    expect(registry.unregisterGroup('lsp')).toBe(true);
    expect((await router.call('lsp', 'hover', { line: 3 })).error?.code).toBe('MODULE_NOT_FOUND');
  });
});
