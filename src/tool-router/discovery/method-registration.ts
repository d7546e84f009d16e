import type { Type } from '@nestjs/common';
import type { CapabilityDescriptor } from '../capability.js';
import { RegistrationError } from '../capability-registry.js';
import type { ApprovalDescription, MethodRegistration } from '../capability-registration.js';
import type { CliMethodOptions } from '../decorators.js';
import { NoInput } from '../input/no-input.js';
import { inputIndex } from '../parameters.js';
import { DtoSchemaError, dtoSchema, isValidationClass } from '../schema/dto-schema.js';

const DEFAULT_TIMEOUT_MS = 20_000;

/** Types that the compiler writes down for parameters without a class of their own. */
const NO_CLASSES: unknown[] = [Object, Array, String, Number, Boolean, Function, Promise];

function inputTypeOf(type: Type<object>, methodName: string, place: string): Type<object> {
  const index = inputIndex(type, methodName);
  if (index === undefined) {
    throw new RegistrationError(
      `${place} has no @CliInput(); use @CliInput() _: NoInput for none.`,
    );
  }
  const types = Reflect.getMetadata('design:paramtypes', type.prototype as object, methodName) as
    unknown[] | undefined;
  const input = types?.[index];
  if (typeof input !== 'function' || NO_CLASSES.includes(input)) {
    throw new RegistrationError(`${place}: the type of @CliInput() must be a class.`);
  }
  const inputType = input as Type<object>;
  if (inputType !== NoInput && !isValidationClass(inputType)) {
    throw new RegistrationError(`${place}: ${inputType.name} has no class-validator rules.`);
  }
  return inputType;
}

function schemaOf(type: Type<object>, place: string): CapabilityDescriptor['inputSchema'] {
  try {
    return dtoSchema(type);
  } catch (error) {
    if (!(error instanceof DtoSchemaError)) throw error;
    throw new RegistrationError(`${place}: ${error.message}`, { cause: error });
  }
}

/**
 * The registration of one decorated method.
 * @throws RegistrationError naming class and method when input or output have no schema.
 */
export function methodRegistration(
  instance: object,
  type: Type<object>,
  module: string,
  methodName: string,
  options: CliMethodOptions,
  describe?: ApprovalDescription,
): MethodRegistration {
  const place = `${type.name}.${methodName}`;
  const inputType = inputTypeOf(type, methodName, place);
  if (typeof options.output !== 'function' || !isValidationClass(options.output)) {
    throw new RegistrationError(`${place}: output must be a class with class-validator rules.`);
  }
  return {
    descriptor: {
      id: `${module}.${options.name}`,
      module,
      method: options.name,
      version: options.version ?? 1,
      description: options.description,
      inputSchema: schemaOf(inputType, place),
      outputSchema: schemaOf(options.output, place),
      effect: options.effect,
      risk: options.risk ?? (options.effect === 'read' ? 'low' : 'medium'),
      requiresApproval: options.requiresApproval ?? false,
      ...(options.standingApproval === false && { standingApproval: false }),
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      group: module,
      examples: options.examples ?? [],
    },
    ui: options.ui,
    summary: options.summary,
    describe,
    inputType,
    instance,
    methodName,
  };
}
