import type { ExecutionContext, PipeTransform } from '@nestjs/common';
import { CUSTOM_ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { InputPipe } from './pipeline/input.pipe.js';
import { invocationOf } from './pipeline/invocation-of.js';
import type { CallContext } from './call-context.js';
import type { ToolInvocation } from './tool-invocation.js';

/** Metadata key of the parameters of CLI methods; Nest reads it when it binds one. */
export const CLI_PARAMETERS_METADATA = 'steward:cli-parameters';

type Kind = 'input' | 'context' | 'invocation';

interface Parameter {
  kind: Kind;
  index: number;
  factory: (data: unknown, context: ExecutionContext) => unknown;
  data: undefined;
  pipes: PipeTransform[];
}

/**
 * Key of a parameter in Nest's format. It makes Nest see a custom parameter, which the global
 * ValidationPipe of the HTTP routes leaves alone.
 */
const keyOf = (index: number): string => `custom:${CUSTOM_ROUTE_ARGS_METADATA}:${index}`;

function parameter(
  kind: Kind,
  read: (invocation: ToolInvocation) => unknown,
  pipes: PipeTransform[] = [],
): ParameterDecorator {
  return (target, name, index) => {
    if (name === undefined) throw new TypeError('This decorator belongs on a method parameter.');
    const own: Record<string, Parameter> = {
      ...(Reflect.getOwnMetadata(CLI_PARAMETERS_METADATA, target.constructor, name) as
        Record<string, Parameter> | undefined),
      [keyOf(index)]: {
        kind,
        index,
        factory: (_data, context) => read(invocationOf(context)),
        data: undefined,
        pipes,
      },
    };
    Reflect.defineMetadata(CLI_PARAMETERS_METADATA, own, target.constructor, name);
  };
}

/** The validated input; its class (the parameter's type) is the method's input schema. */
export const CliInput = (): ParameterDecorator =>
  parameter('input', (invocation) => invocation, [new InputPipe()]);

/** The CallContext: who calls, in which run, locale and zone, and the signal that ends the call. */
export const CliContext = (): ParameterDecorator =>
  parameter('context', ({ context }): CallContext => context);

/** The whole call; the router's own use. */
export const CliInvocation = (): ParameterDecorator =>
  parameter('invocation', (invocation) => invocation);

/** Position of `@CliInput()` in the parameters of a method; undefined when there is none. */
export function inputIndex(type: object, method: string): number | undefined {
  const parameters = Reflect.getMetadata(CLI_PARAMETERS_METADATA, type, method) as
    Record<string, Parameter> | undefined;
  return Object.values(parameters ?? {}).find(({ kind }) => kind === 'input')?.index;
}
