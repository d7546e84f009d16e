import type { JsonObject } from '../common/json.js';
import type { CallContext } from './call-context.js';
import type { CapabilityDescriptor } from './capability.js';

/** A module as help names it. */
export interface CatalogModule {
  name: string;
  description: string;
}

/** What the caller of a method may execute; help's only window into the router. */
export interface CapabilityCatalog {
  /** Modules of which the caller may execute something, by name. */
  modules(context: CallContext): CatalogModule[];
  /** Methods that the caller may execute, by id. */
  methods(context: CallContext): CapabilityDescriptor[];
  /**
   * One method that the caller may execute.
   * @throws StewardError MODULE_NOT_FOUND, METHOD_NOT_FOUND, also for methods that exist but are
   * not the caller's to execute.
   */
  method(context: CallContext, module: string, method: string): CapabilityDescriptor;
  /** Short form of an input schema (seed `000` §8). */
  compact(schema: JsonObject): JsonObject;
}

/** Injection token of CapabilityCatalog. */
export const CAPABILITY_CATALOG = Symbol('CAPABILITY_CATALOG');
