import type { Type } from '@nestjs/common';
import type { JsonObject, JsonValue } from '../common/json.js';
import type { CallContext } from './call-context.js';
import type { CapabilityDescriptor, SummaryTemplate, UiTemplate } from './capability.js';
import type { InputCheck } from './input/input-schema.js';
import type { PartialResult } from './partial-result.js';

/** A module as the model's tool description and help name it. */
export interface ModuleSummary {
  name: string;
  /** One line. */
  description: string;
}

/** Executes a method of a dynamic provider; `input` is validated and frozen. */
export type CapabilityHandler = (
  input: JsonObject,
  context: CallContext,
) => Promise<JsonValue | PartialResult>;

/**
 * Says in the person's language what a call would touch, such as title and time of an event, when they
 * are asked for leave. It only reads, and has the input as the handler gets it. Null: nothing to say.
 * What it throws ends the call instead: nobody is asked for what cannot succeed.
 */
export type ApprovalDescription = (input: object, context: CallContext) => Promise<string | null>;

interface RegistrationFacts {
  descriptor: CapabilityDescriptor;
  ui?: UiTemplate | undefined;
  summary?: SummaryTemplate | undefined;
  describe?: ApprovalDescription | undefined;
}

/** A method of a dynamic provider, whose input is checked by its JSON Schema alone. */
export interface HandlerRegistration extends RegistrationFacts {
  handler: CapabilityHandler;
}

/** A discovered `@CliMethod`, whose input is checked by its class as well. */
export interface MethodRegistration extends RegistrationFacts {
  inputType: Type<object>;
  /** The provider, and the name of its decorated method. */
  instance: object;
  methodName: string;
}

export type CapabilityRegistration = HandlerRegistration | MethodRegistration;

/** A capability in the registry. */
export interface RegisteredCapability {
  readonly descriptor: CapabilityDescriptor;
  readonly inputSchema: InputCheck;
  readonly registration: CapabilityRegistration;
  readonly enabled: boolean;
}
