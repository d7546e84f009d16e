import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import type { ErrorCode } from '../../../common/error-codes.js';
import type { FiringStatus, SkipReason } from '../firing.js';
import { ScheduledTaskEntity } from './scheduled-task.entity.js';

/** What became of one time of a task; its key is why two replicas fire it once. */
@Entity('scheduled_firings')
@Index('scheduled_firings_pending', ['leaseUntil'], { where: `status = 'pending'` })
@Check('scheduled_firings_status', `status IN ('pending', 'started', 'skipped', 'failed')`)
@Check('scheduled_firings_lease', `(status = 'pending') = (lease_until IS NOT NULL)`)
export class ScheduledFiringEntity {
  @PrimaryColumn({
    name: 'task_id',
    type: 'text',
    primaryKeyConstraintName: 'scheduled_firings_pk',
  })
  taskId!: string;

  @PrimaryColumn({
    name: 'due_at',
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'scheduled_firings_pk',
  })
  dueAt!: Date;

  @ManyToOne(() => ScheduledTaskEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'task_id', foreignKeyConstraintName: 'scheduled_firings_task' })
  task?: Relation<ScheduledTaskEntity>;

  @Column({ type: 'text' })
  status!: FiringStatus;

  @Column({ type: 'boolean' })
  missed!: boolean;

  @Column({ type: 'text', nullable: true })
  reason!: SkipReason | null;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode!: ErrorCode | null;

  @Column({ name: 'grant_id', type: 'text' })
  grantId!: string;

  @Column({ name: 'run_id', type: 'text' })
  runId!: string;

  @Column({ name: 'thread_id', type: 'text' })
  threadId!: string;

  @Column({ type: 'integer' })
  attempts!: number;

  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3, nullable: true })
  leaseUntil!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3, nullable: true })
  startedAt!: Date | null;
}
