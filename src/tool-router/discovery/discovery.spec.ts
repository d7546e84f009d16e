import { Module, Scope, Injectable, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { Type as Nested } from 'class-transformer';
import { Clock } from '../../common/clock.js';
import { APP_CONFIG, readConfig } from '../../config/app-config.js';
import { CapabilityAccess } from '../capability-access.js';
import { CapabilityRegistry } from '../capability-registry.js';
import { CliInput, CliMethod, CliModule } from '../decorators.js';
import { NoInput } from '../input/no-input.js';
import { FailureLog } from '../pipeline/failure-log.js';
import { CapabilityDiscovery } from './capability-discovery.js';

class Output {
  @IsOptional()
  @IsString()
  text?: string;
}

class Input {
  @IsString()
  text!: string;
}

class Bare {
  text?: string;
}

class Recursive {
  @ValidateNested()
  @Nested(() => Recursive)
  again!: Recursive;
}

const read = { description: 'Reads.', effect: 'read', output: Output } as const;

@CliModule({ name: 'good', description: 'Good.' })
class Good {
  @CliMethod({ ...read, name: 'one' })
  one(@CliInput() _input: Input): object {
    return {};
  }

  @CliMethod({ ...read, name: 'two', effect: 'write', timeoutMs: 5 })
  two(@CliInput() _input: NoInput): object {
    return {};
  }

  helper(): void {}
}

@CliModule({ name: 'good', description: 'The same name.' })
class SameName {
  @CliMethod({ ...read, name: 'three' })
  three(@CliInput() _input: NoInput): object {
    return {};
  }
}

@CliModule({ name: 'twice', description: 'Two methods of one name.' })
class SameMethod {
  @CliMethod({ ...read, name: 'same' })
  one(@CliInput() _input: NoInput): object {
    return {};
  }

  @CliMethod({ ...read, name: 'same' })
  two(@CliInput() _input: NoInput): object {
    return {};
  }
}

@CliModule({ name: 'bad', description: 'No input.' })
class NoInputParameter {
  @CliMethod({ ...read, name: 'read' })
  read(): object {
    return {};
  }
}

@CliModule({ name: 'bad', description: 'Untyped input.' })
class UntypedInput {
  @CliMethod({ ...read, name: 'read' })
  read(@CliInput() _input: object): object {
    return {};
  }
}

@CliModule({ name: 'bad', description: 'Input without rules.' })
class BareInput {
  @CliMethod({ ...read, name: 'read' })
  read(@CliInput() _input: Bare): object {
    return {};
  }
}

@CliModule({ name: 'bad', description: 'Output without rules.' })
class BareOutput {
  @CliMethod({ ...read, output: Bare, name: 'read' })
  read(@CliInput() _input: NoInput): object {
    return {};
  }
}

@CliModule({ name: 'bad', description: 'Recursive input.' })
class RecursiveInput {
  @CliMethod({ ...read, name: 'read' })
  read(@CliInput() _input: Recursive): object {
    return {};
  }
}

@CliModule({ name: '__proto__', description: 'Bad name.' })
class BadModuleName {
  @CliMethod({ ...read, name: 'read' })
  read(@CliInput() _input: NoInput): object {
    return {};
  }
}

@CliModule({ name: 'bad', description: 'Bad name.' })
class BadMethodName {
  @CliMethod({ ...read, name: 'Read-It' })
  read(@CliInput() _input: NoInput): object {
    return {};
  }
}

@CliModule({ name: 'bad', description: 'No methods.' })
class NoMethods {}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {}

@CliModule({ name: 'bad', description: 'Bound to a request.' })
class RequestBound {
  constructor(readonly dependency: PerRequest) {}

  @CliMethod({ ...read, name: 'read' })
  read(@CliInput() _input: NoInput): object {
    return {};
  }
}

describe('discovery', () => {
  let close: () => Promise<void> = () => Promise.resolve();
  afterEach(() => close());

  async function boot(...classes: Type<object>[]): Promise<CapabilityRegistry> {
    const shared = [
      CapabilityRegistry,
      FailureLog,
      Clock,
      { provide: APP_CONFIG, useValue: readConfig({}) },
      { provide: CapabilityAccess, useValue: {} },
    ];
    @Module({
      imports: [DiscoveryModule],
      providers: [...shared, CapabilityDiscovery, PerRequest, ...classes],
    })
    class TestModule {}
    const module = await Test.createTestingModule({ imports: [TestModule] }).compile();
    close = () => module.close();
    await module.init();
    return module.get(CapabilityRegistry);
  }

  it('registers every decorated method with its descriptor', async () => {
    const registry = await boot(Good);
    expect(registry.listModules()).toEqual([{ name: 'good', description: 'Good.' }]);
    expect(registry.list().map(({ descriptor }) => descriptor)).toMatchObject([
      {
        id: 'good.one',
        module: 'good',
        method: 'one',
        version: 1,
        effect: 'read',
        risk: 'low',
        requiresApproval: false,
        timeoutMs: 20_000,
        group: 'good',
        inputSchema: { required: ['text'], additionalProperties: false },
        outputSchema: { properties: { text: { type: 'string' } } },
      },
      { id: 'good.two', effect: 'write', risk: 'medium', timeoutMs: 5 },
    ]);
  });

  it.each<[string, string, Type<object>[]]>([
    ['a module name twice', 'SameName', [Good, SameName]],
    ['a method name twice', 'twice.same', [SameMethod]],
    ['no @CliInput', 'NoInputParameter.read', [NoInputParameter]],
    ['an input that is no class', 'UntypedInput.read', [UntypedInput]],
    ['an input without rules', 'BareInput.read', [BareInput]],
    ['an output without rules', 'BareOutput.read', [BareOutput]],
    ['an input that contains itself', 'RecursiveInput.read', [RecursiveInput]],
    ['a bad module name', 'BadModuleName', [BadModuleName]],
    ['a bad method name', 'BadMethodName', [BadMethodName]],
    ['no methods', 'NoMethods', [NoMethods]],
    ['a provider bound to a request', 'RequestBound', [RequestBound]],
  ])('stops the boot for %s, naming the place', async (_what, place, classes) => {
    await expect(boot(...classes)).rejects.toThrow(place);
  });

  it('stops the boot for a class that two Nest modules provide', async () => {
    const providers = [
      Good,
      FailureLog,
      Clock,
      { provide: APP_CONFIG, useValue: readConfig({}) },
      { provide: CapabilityAccess, useValue: {} },
    ];
    @Module({ providers })
    class First {}
    @Module({
      imports: [DiscoveryModule, First],
      providers: [...providers, CapabilityRegistry, CapabilityDiscovery],
    })
    class Second {}
    const module = await Test.createTestingModule({ imports: [Second] }).compile();
    close = () => module.close();
    await expect(module.init()).rejects.toThrow('Good is provided by two Nest modules');
  });
});
