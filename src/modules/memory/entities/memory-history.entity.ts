import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { EndReason, FactSource } from '../rules/fact.js';

/** What a fact said before it was superseded, corrected or removed. Forgetting erases it too. */
@Entity('memory_history')
@Index('memory_history_user_fact', { synchronize: false })
@Index('memory_history_user_key', ['userId', 'key', 'heldUntil'])
@Check('memory_history_reason', `reason IN ('superseded', 'corrected', 'removed')`)
export class MemoryHistory {
  @PrimaryColumn({
    name: 'fact_id',
    type: 'text',
    primaryKeyConstraintName: 'memory_history_pk',
  })
  factId!: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'memory_history_pk' })
  version!: number;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ type: 'text', nullable: true })
  key!: string | null;

  @Column({ type: 'text' })
  text!: string;

  @Column({ type: 'text' })
  source!: FactSource;

  @Column({ name: 'run_id', type: 'text', nullable: true })
  runId!: string | null;

  @Column({ type: 'double precision' })
  confidence!: number;

  @Column({ name: 'held_from', type: 'timestamptz', precision: 3 })
  heldFrom!: Date;

  @Column({ name: 'held_until', type: 'timestamptz', precision: 3 })
  heldUntil!: Date;

  @Column({ type: 'text' })
  reason!: EndReason;
}
