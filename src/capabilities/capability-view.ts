import { needsApproval } from '../tool-router/call-decision.js';
import type { AdministeredCapability } from './capability-admin.service.js';
import type { CapabilityDto } from './dto/capabilities.dto.js';

/** A capability as it is shown: what holds of it, and what its code says. */
export function capabilityView({ id, descriptor, setting }: AdministeredCapability): CapabilityDto {
  return {
    id,
    registered: descriptor !== null,
    description: descriptor?.description ?? null,
    effect: descriptor?.effect ?? null,
    enabled: setting?.enabled ?? true,
    risk: setting?.risk ?? descriptor?.risk ?? null,
    requiresApproval: descriptor
      ? needsApproval(descriptor, setting)
      : (setting?.requiresApproval ?? false),
    limits: setting?.limits ?? {},
    defaults: descriptor && {
      risk: descriptor.risk,
      requiresApproval: descriptor.requiresApproval,
    },
    version: setting?.version ?? 0,
    updatedBy: setting?.updatedBy ?? null,
    updatedAt: setting?.updatedAt.toISOString() ?? null,
  };
}
