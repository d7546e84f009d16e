import { Injectable, Module } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { StewardError } from '../../src/common/steward-error.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import type { CallContext } from '../../src/tool-router/call-context.js';
import { CliContext, CliInput, CliMethod, CliModule } from '../../src/tool-router/decorators.js';
import { NoInput } from '../../src/tool-router/input/no-input.js';
import { PartialResult } from '../../src/tool-router/partial-result.js';

/** A JWT that a method finds in its data. */
export const TOKEN = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c3IifQ.c2lnbmF0dXJlc2lnbmF0dXJl';

/** What ran, in order; tests empty it. */
export const trace: string[] = [];

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

/** Lets a test wait for a method, and look at its signal. */
@Injectable()
export class Gate {
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
    if (input.text === 'rule') throw new StewardError('INVALID_ACTION_INPUT', 'Not so.');
    if (input.text === 'token') {
      throw new StewardError('CONFLICT', `Refused: ${TOKEN}`, {
        issues: [{ path: TOKEN, message: 'no', received: TOKEN }],
      });
    }
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
      case 'token':
        return { ownerId: 'usr_1', notes: [`see ${TOKEN}`], [TOKEN]: { url: `x?t=${TOKEN}` } };
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
    name: 'block',
    description: 'Waits in the database.',
    effect: 'write',
    output: AnyOutput,
    timeoutMs: 50,
  })
  block(@CliInput() _input: NoInput): Promise<unknown> {
    return this.uow.manager.query('SELECT pg_sleep(600)');
  }

  @CliMethod({
    name: 'look',
    description: 'Reads what others may hold locked, or sleeps in the database.',
    effect: 'read',
    output: AnyOutput,
  })
  look(@CliInput() { text }: EchoInput): Promise<unknown> {
    const sql = text === 'sleep' ? 'SELECT pg_sleep(600)' : 'SELECT text FROM notes';
    return this.uow.manager.query(sql);
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

/** Methods that do everything a method can do. They write into a table `notes (text text)`. */
@Module({ providers: [SampleCommands, Gate], exports: [Gate] })
export class SampleModule {}
