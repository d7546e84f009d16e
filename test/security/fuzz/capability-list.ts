import type { INestApplicationContext } from '@nestjs/common';
import { CapabilityRegistry } from '../../../src/tool-router/capability-registry.js';
import type { Schema } from './schema-input.js';

export interface Capability {
  module: string;
  method: string;
  inputSchema: Schema;
}

/** Every method of the product, so that a new one is fuzzed from its first day. */
export function capabilityList(app: INestApplicationContext): Capability[] {
  const registry = app.get(CapabilityRegistry, { strict: false });
  return registry.list().map(({ descriptor: { module, method, inputSchema } }) => ({
    module,
    method,
    inputSchema,
  }));
}
