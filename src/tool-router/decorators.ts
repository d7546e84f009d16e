import {
  Injectable,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  applyDecorators,
  type Type,
} from '@nestjs/common';
import type { CallContext } from './call-context.js';
import type { CapabilityExample, Effect, Risk, SummaryTemplate, UiTemplate } from './capability.js';
import { PostProcessor } from './pipeline/post-processor.interceptor.js';
import { WhitelistGuard } from './pipeline/whitelist.guard.js';

export { CliContext, CliInput } from './parameters.js';

/** Metadata keys that discovery reads. */
export const CLI_MODULE_METADATA = 'steward:cli-module';
export const CLI_METHOD_METADATA = 'steward:cli-method';
export const CLI_DESCRIBES_METADATA = 'steward:cli-describes';

export interface CliModuleOptions {
  /** `calendar`; lower case, digits and `_`. */
  name: string;
  /** One line for the tool description that a model reads. */
  description: string;
}

export interface CliMethodOptions {
  /** `read`; lower case, digits and `_`. */
  name: string;
  description: string;
  effect: Effect;
  /** Default: `low` for reads, `medium` for writes. */
  risk?: Risk;
  /** Each call waits for a person's approval, unless its user has allowed the method. */
  requiresApproval?: boolean;
  /** False: each call is asked for, whatever its user has allowed. Default true. */
  standingApproval?: boolean;
  /** Default 1. */
  version?: number;
  /** Default 20 000. */
  timeoutMs?: number;
  /** class-validator class of `result.data`; the output schema comes from it. */
  output: Type<object>;
  examples?: CapabilityExample[];
  ui?: UiTemplate;
  summary?: SummaryTemplate;
}

/** Marks a Nest provider as the CLI surface of a module; its `@CliMethod`s are discovered at boot. */
export function CliModule(options: CliModuleOptions): ClassDecorator {
  return applyDecorators(Injectable(), SetMetadata(CLI_MODULE_METADATA, options));
}

/**
 * Registers a method as `module.method` of project_cli, behind guard, pipe and post-processor. It
 * takes one `@CliInput()` whose type is a class-validator class (`NoInput` for none) and, where it
 * needs it, the `@CliContext()`.
 */
export function CliMethod(options: CliMethodOptions): MethodDecorator {
  return applyDecorators(
    SetMetadata(CLI_METHOD_METADATA, options),
    UseGuards(WhitelistGuard),
    UseInterceptors(PostProcessor),
  );
}

/** A method `(input, context)` that says what a call of another one touches; see `DescribesCall`. */
type Describing = (input: never, context: CallContext) => Promise<string | null>;

/**
 * Marks the method of a `@CliModule` that says in words what a call of the named method would touch.
 * It is called before a person is asked for leave, with the same input and context: `项目会（…）`
 * stands in the question then. It only reads; null says nothing. What it throws ends the call, so
 * that nobody is asked for what cannot succeed (NOT_FOUND, FORBIDDEN).
 * @param methods names as `@CliMethod` gives them: `delete`.
 */
export function DescribesCall(...methods: string[]) {
  return <T extends Describing>(
    _target: object,
    _key: string | symbol,
    property: TypedPropertyDescriptor<T>,
  ): void => {
    if (property.value) SetMetadata(CLI_DESCRIBES_METADATA, methods)(property.value);
  };
}
