import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { ErrorCode } from '../../common/error-codes.js';
import { ThreadEntity } from '../../threads/entities/thread.entity.js';
import type { ToolAgentOutput, ToolStatus } from '../../tool-output/tool-agent-output.js';
import type { Door } from '../call-context.js';

/** The row has its record, or says completely where it lies. */
const RECORD_OR_REFERENCE = `num_nulls(storage_bucket, storage_path, payload_bytes,
  payload_sha256) = CASE WHEN record IS NULL THEN 0 ELSE 4 END`;

/** One executed or refused tool call with its complete record. */
@Entity('tool_calls')
@Index('tool_calls_run_call_key', ['userId', 'runId', 'toolCallId'], { unique: true })
@Index('tool_calls_user_started_idx', ['userId', 'startedAt'])
@Index('tool_calls_thread_idx', ['threadId'])
@Index('tool_calls_storage_path_idx', ['storagePath'], { where: 'storage_path IS NOT NULL' })
@Check('tool_calls_record_or_reference', RECORD_OR_REFERENCE)
export class ToolCallEntity {
  @PrimaryColumn('text')
  id!: string;

  /** Null for calls outside of a run, which are never the same call twice. */
  @Column('text', { name: 'run_id', nullable: true })
  runId!: string | null;

  /** Null for calls outside of threads; the others are deleted with theirs. */
  @Column('text', { name: 'thread_id', nullable: true })
  threadId!: string | null;

  @ManyToOne(() => ThreadEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'thread_id', foreignKeyConstraintName: 'tool_calls_thread_fk' })
  thread?: Relation<ThreadEntity>;

  @Column('text', { name: 'tool_call_id' })
  toolCallId!: string;

  @Column('text', { name: 'user_id' })
  userId!: string;

  @Column('text')
  module!: string;

  @Column('text')
  method!: string;

  @Column('text')
  status!: ToolStatus;

  /** Error code of a failure. */
  @Column('text', { nullable: true })
  code!: ErrorCode | null;

  @Column('text')
  door!: Door;

  /**
   * `json`, not `jsonb`: a record read back has its keys in the order in which it was answered. Null
   * once the record lies in the object store (PROTOCOL §9), at what the next columns say.
   */
  @Column('json', { nullable: true })
  record!: ToolAgentOutput | null;

  @Column('text', { name: 'storage_bucket', nullable: true })
  storageBucket!: string | null;

  @Column('text', { name: 'storage_path', nullable: true })
  storagePath!: string | null;

  /** Bytes of the object; a record has at most a few MiB. */
  @Column('integer', { name: 'payload_bytes', nullable: true })
  payloadBytes!: number | null;

  @Column('text', { name: 'payload_sha256', nullable: true })
  payloadSha256!: string | null;

  @Column('timestamptz', { name: 'started_at' })
  startedAt!: Date;

  @Column('timestamptz', { name: 'finished_at' })
  finishedAt!: Date;
}
