import { Injectable } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import type { ToolAgentOutput } from '../../tool-output/tool-agent-output.js';
import type { CapabilityRegistration } from '../capability-registration.js';
import { CLI_PARAMETERS_METADATA } from '../parameters.js';
import type { ToolInvocation } from '../tool-invocation.js';
import { DynamicHandler } from './dynamic-handler.js';
import { CLI_CONTEXT_TYPE } from './invocation-of.js';

/** A Nest-bound method: guard, then post-processor around pipe and handler. */
type BoundCall = (invocation: ToolInvocation) => Promise<ToolAgentOutput>;

/** Every parameter of a CLI method brings its own factory; Nest asks for one of these all the same. */
const NO_PARAMETERS = { exchangeKeyForValue: (): undefined => undefined };

/**
 * Runs a call through Nest: the global and own guards, interceptors and pipes of its method.
 * Filters stay out, whose return values would look like success.
 */
@Injectable()
export class CapabilityPipeline {
  private readonly bound = new WeakMap<CapabilityRegistration, BoundCall>();
  private dynamic: BoundCall | undefined;

  constructor(
    private readonly contexts: ExternalContextCreator,
    private readonly dynamicHandler: DynamicHandler,
  ) {}

  /**
   * @returns the record of everything that got past the guard.
   * @throws StewardError of the guard's denial.
   */
  run(invocation: ToolInvocation): Promise<ToolAgentOutput> {
    return this.callOf(invocation.capability.registration)(invocation);
  }

  private callOf(registration: CapabilityRegistration): BoundCall {
    if ('handler' in registration) {
      this.dynamic ??= this.bind(this.dynamicHandler, 'run');
      return this.dynamic;
    }
    const known = this.bound.get(registration);
    if (known) return known;
    const call = this.bind(registration.instance, registration.methodName);
    this.bound.set(registration, call);
    return call;
  }

  private bind(instance: object, methodName: string): BoundCall {
    const handler: unknown = Reflect.get(instance, methodName);
    if (typeof handler !== 'function') throw new TypeError(`${methodName} is no method.`);
    return this.contexts.create(
      instance,
      handler as (...args: unknown[]) => unknown,
      methodName,
      CLI_PARAMETERS_METADATA,
      NO_PARAMETERS,
      undefined,
      undefined,
      { guards: true, interceptors: true, filters: false },
      CLI_CONTEXT_TYPE,
    );
  }
}
