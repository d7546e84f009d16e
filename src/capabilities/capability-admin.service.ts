import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock.js';
import { StewardError } from '../common/steward-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { insistsOnApproval } from '../tool-router/call-decision.js';
import type { CapabilityDescriptor } from '../tool-router/capability.js';
import { CapabilityRegistry } from '../tool-router/capability-registry.js';
import { nearest } from '../tool-router/input/nearest.js';
import {
  NO_SETTING,
  applyChange,
  isEmptySetting,
  type SettingChange,
} from './capability-setting.js';
import { CapabilitySettings } from './capability-settings.js';
import { CapabilitySettingsRepository } from './capability-settings.repository.js';
import type { CapabilitySettingEntity } from './entities/capability-setting.entity.js';

/** A capability as admins see it: what its code says, and what was decided about it. */
export interface AdministeredCapability {
  id: string;
  /** Null for one that is not registered at the moment. */
  descriptor: CapabilityDescriptor | null;
  /** Null while nobody decided anything. */
  setting: CapabilitySettingEntity | null;
}

/** What admins do with capabilities (PROTOCOL §15): each change is attributed, audited, and in force at once. */
@Injectable()
export class CapabilityAdmin {
  constructor(
    private readonly registry: CapabilityRegistry,
    private readonly settings: CapabilitySettings,
    private readonly repository: CapabilitySettingsRepository,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Registered capabilities and settings of others, by id, after `cursor`. */
  async page(
    limit: number,
    cursor = '',
  ): Promise<{ items: AdministeredCapability[]; nextCursor: string | null }> {
    const settings = new Map((await this.repository.all()).map((row) => [row.capability, row]));
    const ids = new Set([...this.registry.list().map((c) => c.descriptor.id), ...settings.keys()]);
    const rest = [...ids].filter((id) => id > cursor).toSorted((a, b) => (a < b ? -1 : 1));
    const items = rest.slice(0, limit).map((id) => this.view(id, settings.get(id) ?? null));
    return { items, nextCursor: rest.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  /** @throws StewardError NOT_FOUND, saying what was probably meant. */
  async find(id: string): Promise<AdministeredCapability> {
    return this.known(id, await this.repository.find(id));
  }

  /**
   * Changes what is decided about a capability, for the next call on every replica.
   * @param seen version of the setting that the admin saw; 0 for none.
   * @throws StewardError NOT_FOUND, CONFLICT.
   */
  change(
    id: string,
    change: SettingChange,
    seen: number,
    adminId: string,
  ): Promise<AdministeredCapability> {
    return this.write(id, seen, adminId, (before, version) => {
      const after = applyChange(before ?? NO_SETTING, change);
      if (isEmptySetting(after)) return null;
      const updatedAt = this.clock.now();
      return { ...after, capability: id, version, updatedBy: adminId, updatedAt };
    });
  }

  /** Goes back to what the code says. @throws StewardError NOT_FOUND, CONFLICT. */
  reset(id: string, seen: number, adminId: string): Promise<AdministeredCapability> {
    return this.write(id, seen, adminId, () => null);
  }

  private async write(
    id: string,
    seen: number,
    adminId: string,
    next: (
      before: CapabilitySettingEntity | null,
      version: number,
    ) => CapabilitySettingEntity | null,
  ): Promise<AdministeredCapability> {
    return this.uow.run(async () => {
      const version = await this.settings.nextVersion();
      const before = await this.repository.find(id);
      const { descriptor } = this.known(id, before);
      if ((before?.version ?? 0) !== seen) {
        const message = 'The settings have been changed by somebody else; read them again.';
        throw new StewardError('CONFLICT', message);
      }
      const after = next(before, version);
      assertStrictEnough(descriptor, after);
      if (after) await this.repository.put(after);
      else await this.repository.remove(id);
      await this.audit.record({
        kind: 'capability_changed',
        actor: adminId,
        subject: id,
        outcome: 'success',
        details: {
          enabled: after?.enabled ?? null,
          risk: after?.risk ?? null,
          requiresApproval: after?.requiresApproval ?? null,
          limits: { ...after?.limits },
        },
      });
      await this.settings.changed(version);
      return { id, descriptor, setting: after };
    });
  }

  private view(id: string, setting: CapabilitySettingEntity | null): AdministeredCapability {
    return { id, descriptor: this.registry.get(id)?.descriptor ?? null, setting };
  }

  private known(id: string, setting: CapabilitySettingEntity | null): AdministeredCapability {
    const found = this.view(id, setting);
    if (found.descriptor || setting) return found;
    const ids = this.registry.list().map(({ descriptor }) => descriptor.id);
    const didYouMean = nearest(id, ids);
    throw new StewardError('NOT_FOUND', 'There is no such capability.', {
      ...(didYouMean !== undefined && { didYouMean }),
    });
  }
}

/** @throws StewardError FORBIDDEN for a method whose code always asks a person. */
function assertStrictEnough(
  descriptor: CapabilityDescriptor | null,
  setting: CapabilitySettingEntity | null,
): void {
  if (setting?.requiresApproval !== false || !descriptor || !insistsOnApproval(descriptor)) return;
  throw new StewardError('FORBIDDEN', `${descriptor.id} always needs the approval of a person.`);
}
