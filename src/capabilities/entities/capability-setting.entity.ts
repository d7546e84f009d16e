import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Risk } from '../../tool-router/capability.js';
import type { CallLimits } from '../capability-setting.js';

/** What an admin decided about one capability; null is what its code says. */
@Entity('capability_settings')
export class CapabilitySettingEntity {
  /** `module.method`; it need not be registered at the moment. */
  @PrimaryColumn('text')
  capability!: string;

  @Column('boolean', { nullable: true })
  enabled!: boolean | null;

  @Column('text', { nullable: true })
  risk!: Risk | null;

  @Column('boolean', { name: 'requires_approval', nullable: true })
  requiresApproval!: boolean | null;

  @Column('jsonb')
  limits!: CallLimits;

  /** Version of all settings with which this one was last changed. */
  @Column('integer')
  version!: number;

  /** User id of the admin. */
  @Column('text', { name: 'updated_by' })
  updatedBy!: string;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
