import { Injectable, Module } from '@nestjs/common';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { startTestRouter, type TestRouter } from '../../../test/support/tool-router.js';
import { StewardError } from '../../common/steward-error.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CapabilityRegistry } from '../capability-registry.js';
import type { CallContext } from '../call-context.js';
import { CliContext, CliInput, CliMethod, CliModule } from '../decorators.js';
import { NoInput } from '../input/no-input.js';
import { PartialResult } from '../partial-result.js';
import { ToolRecordStore } from '../records/tool-record.store.js';
import { InputPipe } from './input.pipe.js';
import { PostProcessor } from './post-processor.interceptor.js';
import { WhitelistGuard } from './whitelist.guard.js';

/** What ran, in order. */
let trace: string[] = [];

class EchoInput {
  @IsInt()
  @Min(1)
  @Max(9)
  @Transform(({ value }: { value: unknown }) => value)
  times!: number;

  @IsOptional()
  @IsString()
  text?: string;
}

class AnyOutput {
  @IsOptional()
  @IsString()
  text?: string;
}

class Point {
  constructor(readonly x: number) {}
}

@Injectable()
class Gate {
  open: () => void = () => undefined;
  signal: AbortSignal | undefined;
}

@CliModule({ name: 'sample', description: 'For the tests.' })
class SampleCommands {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly gate: Gate,
  ) {}

  @CliMethod({
    name: 'echo',
    description: 'Repeats.',
    effect: 'read',
    output: AnyOutput,
    ui: (data, input) => {
      trace.push('ui');
      if (input.text === 'bad card') throw new Error('no card');
      return input.text === 'card'
        ? {
            version: 1,
            template: 'sample.echo',
            locale: 'en',
            timezone: 'UTC',
            title: JSON.stringify(data),
            tone: 'neutral',
            sections: [],
          }
        : null;
    },
    summary: () => 'Echoed',
  })
  echo(@CliInput() input: EchoInput, @CliContext() context: CallContext) {
    trace.push('handler');
    return {
      isClass: input instanceof EchoInput,
      frozen: Object.isFrozen(input),
      text: (input.text ?? '').repeat(input.times),
      zone: context.timezone,
    };
  }

  @CliMethod({ name: 'fail', description: 'Fails.', effect: 'read', output: AnyOutput })
  fail(@CliInput() input: EchoInput): never {
    trace.push('handler');
    if (input.text === 'known') throw new StewardError('NOT_FOUND', 'There is no such thing.');
    throw new TypeError('secret detail of /etc/passwd');
  }

  @CliMethod({
    name: 'slow',
    description: 'Waits for the end of its signal.',
    effect: 'read',
    output: AnyOutput,
    timeoutMs: 50,
  })
  slow(@CliInput() _input: NoInput, @CliContext() { signal }: CallContext): Promise<never> {
    trace.push('handler');
    this.gate.signal = signal;
    this.gate.open();
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('AbortError')));
    });
  }

  @CliMethod({
    name: 'endless',
    description: 'Waits without a limit.',
    effect: 'read',
    output: AnyOutput,
  })
  endless(@CliInput() _input: NoInput, @CliContext() { signal }: CallContext): Promise<never> {
    this.gate.signal = signal;
    this.gate.open();
    return new Promise(() => undefined);
  }

  @CliMethod({
    name: 'odd',
    description: 'Returns what is asked.',
    effect: 'read',
    output: AnyOutput,
  })
  odd(@CliInput() input: EchoInput): unknown {
    switch (input.text) {
      case 'nan':
        return { deep: [Number.NaN] };
      case 'map':
        return { map: new Map() };
      case 'large':
        return { text: 'x'.repeat(3000) };
      case 'partial':
        return new PartialResult({ items: [{ id: 'a' }, { error: 'b' }] });
      case 'instance':
        return { point: new Point(3), when: new Date(0), gone: undefined };
      default:
        return undefined;
    }
  }

  @CliMethod({ name: 'write', description: 'Writes.', effect: 'write', output: AnyOutput })
  async write(@CliInput() input: EchoInput) {
    trace.push('handler');
    await this.uow.manager.query('INSERT INTO notes VALUES ($1)', [input.text ?? '']);
    if (input.times === 9) throw new StewardError('CONFLICT', 'Written, but then refused.');
    return { text: input.text };
  }

  @CliMethod({
    name: 'linger',
    description: 'Goes on after its time is over.',
    effect: 'write',
    output: AnyOutput,
    timeoutMs: 50,
  })
  async linger(@CliInput() _input: NoInput, @CliContext() { signal }: CallContext) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await this.uow.manager.query(`INSERT INTO notes VALUES ('too late')`);
      trace.push('wrote too late');
    } catch {
      trace.push('could not write any more');
    } finally {
      this.gate.open();
    }
  }
}

@Module({ providers: [SampleCommands, Gate], exports: [Gate] })
class SampleModule {}

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
    await router.uow.manager.query('CREATE TABLE notes (text text)');
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await router.close();
  });

  beforeEach(() => {
    trace = [];
  });

  afterEach(async () => {
    await router.uow.manager.query('DELETE FROM notes');
  });

  const notes = async (): Promise<string[]> => {
    const rows = await router.uow.manager.query<{ text: string }[]>('SELECT text FROM notes');
    return rows.map(({ text }) => text);
  };
  const recorded = async (): Promise<number> => {
    const [row] = await router.uow.manager.query<{ n: number }[]>(
      'SELECT count(*)::int AS n FROM tool_calls',
    );
    return row?.n ?? 0;
  };

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
    trace = [];
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

  it('commits a write with its record, and rolls a failed one back', async () => {
    const done = await router.call('sample', 'write', { times: 1, text: 'kept' });
    expect(done.status).toBe('success');
    const failed = await router.call('sample', 'write', { times: 9, text: 'not kept' });
    expect(failed.error?.code).toBe('CONFLICT');
    expect(await notes()).toEqual(['kept']);
  });

  it('lets a write that outlives its time change nothing', async () => {
    const settled = new Promise<void>((resolve) => (gate.open = resolve));
    const record = await router.call('sample', 'linger');
    await settled;
    expect(record.error?.code).toBe('TIMEOUT');
    expect(trace).toContain('could not write any more');
    expect(await notes()).toEqual([]);
  });

  it('executes a call of a run once, also when it comes twice at the same time', async () => {
    const runId = 'run_once';
    const credential = await router.credential({ runId });
    const call = (input: object) =>
      router.call('sample', 'write', input, { credential, toolCallId: 'call_1' });
    const records = await Promise.all([1, 2, 3].map(() => call({ times: 1, text: 'once' })));
    records.push(await call({ times: 1, text: 'once' }));
    expect(await notes()).toEqual(['once']);
    for (const record of records) expect(record).toEqual(records[0]);
    expect(await router.app.get(ToolRecordStore).find(runId, 'call_1')).toEqual(records[0]);
    const other = await call({ times: 1, text: 'another' });
    expect(other.error?.code).toBe('CONFLICT');
    expect(await notes()).toEqual(['once']);
  });

  it('reads back the record of a call to the byte', async () => {
    const runId = 'run_bytes';
    const credential = await router.credential({ runId });
    const record = await router.call(
      'sample',
      'echo',
      { times: 1, text: '日程 \u2028 "q"' },
      { credential, toolCallId: 'c' },
    );
    const stored = await router.app.get(ToolRecordStore).find(runId, 'c');
    expect(JSON.stringify(stored)).toBe(JSON.stringify(record));
  });

  it('makes one record of every outcome, also of malformed and unknown calls', async () => {
    const before = await recorded();
    const outcomes = await Promise.all([
      router.call('sample', 'echo', { times: 1 }),
      router.call('sample', 'echo', { times: 'many' }),
      router.call('sample', 'fail', { times: 1 }),
      router.call('nothing', 'here'),
      router.call('sample', 'ech'),
      router.call('sample', 'echo', null),
      router.call('sample', 'echo', { token: 'x' }),
    ]);
    expect(outcomes.map(({ error }) => error?.code ?? 'success')).toEqual([
      'success',
      'INVALID_ACTION_INPUT',
      'INTERNAL',
      'MODULE_NOT_FOUND',
      'METHOD_NOT_FOUND',
      'INVALID_TOOL_CALL',
      'CREDENTIAL_IN_INPUT',
    ]);
    expect(await recorded()).toBe(before + outcomes.length);
    expect(outcomes[4]?.error?.did_you_mean).toBe('sample.echo');
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
