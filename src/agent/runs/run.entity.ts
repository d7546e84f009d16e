import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { Locale } from '../../common/locale.js';
import type { TokenUsage } from '../../events/run-event.js';
import { ThreadEntity } from '../../threads/entities/thread.entity.js';
import type { ClientTool } from '../../tool-router/client-tools/client-tool.js';
import type { UsedBriefing } from '../briefing-source.js';
import type { UsedContext } from '../context/context-window.js';
import type { CountedCalls } from '../loop/call-guard.js';
import type { Refusal } from '../loop/unexecuted-call.js';
import type { OpenCall } from './open-call.js';
import type { RunSpending } from './run-spending.js';
import type { RunStatus } from './run-state.js';
import type { Run } from './run.js';

/** States of which a thread has one run at most. */
const HOLDING = `status IN ('queued', 'running', 'waiting')`;
const ACTIVE = `status IN ('queued', 'running')`;

/**
 * A run as a row; rows that no process holds are the queue. The process that executes a run keeps its
 * `lease_until` in the future.
 */
@Entity('agent_runs')
@Check(
  'agent_runs_status',
  `status IN ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled')`,
)
@Index('agent_runs_one_active', ['threadId'], { unique: true, where: HOLDING })
@Index('agent_runs_idempotency', ['userId', 'idempotencyKey'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
@Index('agent_runs_thread_created', ['threadId', 'createdAt'])
@Index('agent_runs_fair', ['fairAt'], { where: ACTIVE })
@Index('agent_runs_active', ['userId'], { where: ACTIVE })
@Index('agent_runs_waiting', ['waitingUntil'], { where: `status = 'waiting'` })
@Index('agent_runs_resumed_once', ['userId', 'resumedFrom'], {
  unique: true,
  where: 'resumed_from IS NOT NULL',
})
@Check('agent_runs_waits', `status <> 'waiting' OR num_nulls(open_calls, waiting_until) = 0`)
export class RunEntity implements Run {
  @PrimaryColumn({ name: 'user_id', type: 'text', primaryKeyConstraintName: 'agent_runs_pk' })
  userId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'agent_runs_pk' })
  id!: string;

  @Column({ name: 'thread_id', type: 'text' })
  threadId!: string;

  @ManyToOne(() => ThreadEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'thread_id', foreignKeyConstraintName: 'agent_runs_thread_fk' })
  thread?: Relation<ThreadEntity>;

  @Column({ name: 'message_id', type: 'text' })
  messageId!: string;

  /** No foreign key: both runs go with their thread. */
  @Column({ name: 'resumed_from', type: 'text', nullable: true })
  resumedFrom!: string | null;

  @Column({ name: 'open_calls', type: 'json', nullable: true })
  openCalls!: OpenCall[] | null;

  @Column({ name: 'waiting_until', type: 'timestamptz', precision: 3, nullable: true })
  waitingUntil!: Date | null;

  @Column({ type: 'text' })
  status!: RunStatus;

  @Column({ type: 'text' })
  profile!: string;

  @Column({ type: 'jsonb', default: ['*'] })
  scope!: string[];

  @Column({ name: 'enabled_skills', type: 'jsonb', nullable: true })
  enabledSkills!: string[] | null;

  /** `json`: what a model is told of them has the keys in the client's order. */
  @Column({ name: 'client_tools', type: 'json', nullable: true })
  clientTools!: ClientTool[] | null;

  @Column({ name: 'answer_ids', type: 'jsonb', nullable: true })
  answerIds!: Record<string, string> | null;

  @Column({ type: 'text' })
  locale!: Locale;

  @Column({ type: 'text' })
  timezone!: string;

  @Column({ name: 'idempotency_key', type: 'text', nullable: true })
  idempotencyKey!: string | null;

  @Column({ name: 'request_hash', type: 'text' })
  requestHash!: string;

  @Column({ name: 'cancel_requested', type: 'boolean' })
  cancelRequested!: boolean;

  @Column({ name: 'error_code', type: 'text', nullable: true })
  errorCode!: string | null;

  @Column({
    name: 'start_event_id',
    type: 'bigint',
    nullable: true,
    transformer: {
      from: (value: string | null) => (value === null ? null : Number(value)),
      to: (value: number | null) => value,
    },
  })
  startEventId!: number | null;

  @Column({ type: 'jsonb', nullable: true })
  usage!: TokenUsage | null;

  @Column({ name: 'unreported_tokens', type: 'integer', default: 0 })
  unreportedTokens!: number;

  @Column({ type: 'integer', default: 0 })
  turns!: number;

  @Column({ name: 'spent_before', type: 'jsonb', nullable: true })
  spentBefore!: RunSpending | null;

  @Column({ name: 'counted_calls', type: 'jsonb', nullable: true })
  countedCalls!: CountedCalls | null;

  @Column({ name: 'refused_calls', type: 'json', nullable: true })
  refusedCalls!: Record<string, Refusal> | null;

  @Column({ type: 'jsonb', nullable: true })
  briefing!: UsedBriefing | null;

  @Column({ type: 'jsonb', nullable: true })
  context!: UsedContext | null;

  /** The process that executes it; null while it waits for one. */
  @Column({ name: 'instance_id', type: 'text', nullable: true })
  instanceId!: string | null;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** Its place in the queue: the earlier, the sooner it is claimed. */
  @Column({ name: 'fair_at', type: 'timestamptz', precision: 3 })
  fairAt!: Date;

  /** Past for one that waits. */
  @Column({ name: 'lease_until', type: 'timestamptz', precision: 3 })
  leaseUntil!: Date;

  @Column({ type: 'text', nullable: true })
  traceparent!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3, nullable: true })
  startedAt!: Date | null;

  @Column({ name: 'finished_at', type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;
}
