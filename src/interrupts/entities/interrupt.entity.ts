import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { JsonObject } from '../../common/json.js';
import { ThreadEntity } from '../../threads/entities/thread.entity.js';
import type { Interrupt, InterruptKind, InterruptStatus } from '../interrupt.js';

/** A tool call that waits for a person, or did. The rows of a user go with the account. */
@Entity('interrupts')
@Check('interrupts_kind', `kind IN ('approval', 'question')`)
@Check(
  'interrupts_status',
  `status IN ('pending', 'approved', 'denied', 'answered', 'declined', 'cancelled', 'expired')`,
)
@Check('interrupts_consumed', `consumed_at IS NULL OR granted_hash IS NOT NULL`)
@Index('interrupts_run_call_key', ['userId', 'runId', 'toolCallId'], {
  unique: true,
  where: 'run_id IS NOT NULL',
})
@Index('interrupts_session_call_key', ['userId', 'credentialJti', 'kind', 'inputHash'], {
  unique: true,
  where: 'run_id IS NULL AND consumed_at IS NULL',
})
@Index('interrupts_resumed_call_idx', ['userId', 'resolvedRunId', 'toolCallId'], {
  where: 'resolved_run_id IS NOT NULL',
})
@Index('interrupts_user_created_idx', ['userId', 'createdAt', 'id'])
@Index('interrupts_thread_idx', ['threadId', 'createdAt'])
@Index('interrupts_pending_idx', ['expiresAt'], { where: `status = 'pending'` })
@Index('interrupts_sessions_idx', ['expiresAt'], { where: 'run_id IS NULL' })
export class InterruptEntity implements Interrupt {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'interrupts_pk' })
  id!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ name: 'thread_id', type: 'text', nullable: true })
  threadId!: string | null;

  @ManyToOne(() => ThreadEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'thread_id', foreignKeyConstraintName: 'interrupts_thread_fk' })
  thread?: Relation<ThreadEntity>;

  @Column({ name: 'run_id', type: 'text', nullable: true })
  runId!: string | null;

  @Column({ name: 'credential_jti', type: 'text' })
  credentialJti!: string;

  @Column({ name: 'tool_call_id', type: 'text' })
  toolCallId!: string;

  @Column({ type: 'text' })
  profile!: string;

  @Column({ type: 'text' })
  kind!: InterruptKind;

  @Column({ type: 'text' })
  module!: string;

  @Column({ type: 'text' })
  method!: string;

  /** `json`, not `jsonb`: what is shown and executed has its keys in the order of the call. */
  @Column({ type: 'json' })
  input!: JsonObject;

  @Column({ name: 'input_hash', type: 'text' })
  inputHash!: string;

  @Column({ type: 'text', nullable: true })
  rule!: string | null;

  @Column({ type: 'text' })
  message!: string;

  @Column({ name: 'response_schema', type: 'json' })
  responseSchema!: JsonObject;

  @Column({ type: 'text' })
  status!: InterruptStatus;

  @Column({ type: 'json', nullable: true })
  response!: JsonObject | null;

  @Column({ name: 'granted_input', type: 'json', nullable: true })
  grantedInput!: JsonObject | null;

  @Column({ name: 'granted_hash', type: 'text', nullable: true })
  grantedHash!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  @Column({ name: 'resolved_at', type: 'timestamptz', precision: 3, nullable: true })
  resolvedAt!: Date | null;

  @Column({ name: 'resolved_run_id', type: 'text', nullable: true })
  resolvedRunId!: string | null;

  @Column({ name: 'consumed_at', type: 'timestamptz', precision: 3, nullable: true })
  consumedAt!: Date | null;
}
