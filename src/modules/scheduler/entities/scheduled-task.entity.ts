import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { MissedPolicy } from '../rules/firing-plan.js';

/** A task; when it is due next is kept in its row, so that finding what is due is one index scan. */
@Entity('scheduled_tasks')
@Index('scheduled_tasks_user', ['userId', 'id'])
@Index('scheduled_tasks_due', ['nextAt'], { where: 'next_at IS NOT NULL' })
@Check('scheduled_tasks_timing', '(cron IS NULL) <> (rrule IS NULL)')
@Check('scheduled_tasks_missed', `missed IN ('run_once', 'skip')`)
@Check('scheduled_tasks_next', 'next_at IS NULL OR (enabled AND grant_id IS NOT NULL)')
export class ScheduledTaskEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'scheduled_tasks_pk' })
  id!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text' })
  prompt!: string;

  @Column({ type: 'text', nullable: true })
  cron!: string | null;

  @Column({ type: 'text', nullable: true })
  rrule!: string | null;

  @Column({ type: 'text' })
  timezone!: string;

  @Column({ name: 'start_at', type: 'timestamptz', precision: 3 })
  startAt!: Date;

  @Column({ name: 'end_at', type: 'timestamptz', precision: 3, nullable: true })
  endAt!: Date | null;

  @Column({ type: 'text' })
  missed!: MissedPolicy;

  @Column({ type: 'boolean' })
  enabled!: boolean;

  @Column({ name: 'grant_id', type: 'text', nullable: true })
  grantId!: string | null;

  @Column({ name: 'next_at', type: 'timestamptz', precision: 3, nullable: true })
  nextAt!: Date | null;

  @Column({ name: 'thread_id', type: 'text' })
  threadId!: string;

  @Column({ name: 'last_run_id', type: 'text', nullable: true })
  lastRunId!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
