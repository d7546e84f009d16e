import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** "Always allow this": a standing approval that a user has given, and can take back. */
@Entity('approval_rules')
@Index('approval_rules_capability_key', ['userId', 'profile', 'capabilityId', 'rule'], {
  unique: true,
})
@Index('approval_rules_user_created_idx', ['userId', 'createdAt', 'id'])
export class ApprovalRuleEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'approval_rules_pk' })
  id!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  /** Whitelist profile in which it holds: what was allowed in a chat is not allowed at night. */
  @Column({ type: 'text' })
  profile!: string;

  /** `module.method`. */
  @Column({ name: 'capability_id', type: 'text' })
  capabilityId!: string;

  /** The rule that asked when it was given: another rule asks again. */
  @Column({ type: 'text' })
  rule!: string;

  /** Interrupt with which it was given; that may be gone. */
  @Column({ name: 'interrupt_id', type: 'text' })
  interruptId!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
