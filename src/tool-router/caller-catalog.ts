import { Injectable } from '@nestjs/common';
import type { JsonObject } from '../common/json.js';
import type { CallContext } from './call-context.js';
import { CapabilityAccess } from './capability-access.js';
import type { CapabilityCatalog, CatalogModule } from './capability-catalog.js';
import type { CapabilityDescriptor } from './capability.js';
import { compactSchema } from './schema/compact-schema.js';

/** The catalog as the whitelist and the credential of the caller leave it. */
@Injectable()
export class CallerCatalog implements CapabilityCatalog {
  constructor(private readonly access: CapabilityAccess) {}

  modules({ claims }: CallContext): CatalogModule[] {
    return this.access.visibleModules(claims);
  }

  methods({ claims }: CallContext): CapabilityDescriptor[] {
    return this.access.visible(claims);
  }

  method({ claims }: CallContext, module: string, method: string): CapabilityDescriptor {
    return this.access.visibleMethod(claims, module, method);
  }

  compact(schema: JsonObject): JsonObject {
    return compactSchema(schema);
  }
}
