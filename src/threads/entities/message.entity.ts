import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  Unique,
} from 'typeorm';
import type { Relation } from 'typeorm';
import type { MessageRole, ThreadMessage } from '../thread-message.js';
import { ThreadEntity } from './thread.entity.js';

/** Content and metadata of a tool message are those of its tier, completely (PROTOCOL §9). */
const TIER_CHECK = `CASE WHEN role = 'tool' THEN coalesce(
  CASE
    WHEN metadata->>'storage_state' = 'inline' THEN starts_with(content, '{"status":"')
      AND json_typeof(metadata->'tool_agent_output') = 'object'
      AND metadata->'storage_path' IS NULL
    WHEN metadata->>'storage_state' = 'write_failed' THEN
      NOT starts_with(content, '{"status":"')
      AND json_typeof(metadata->'tool_agent_output') = 'object'
      AND metadata->'storage_path' IS NULL
    WHEN metadata->>'storage_state' IN ('stored', 'lost') THEN
      NOT starts_with(content, '{"status":"')
      AND metadata->'tool_agent_output' IS NULL
      AND json_typeof(metadata->'storage_bucket') = 'string'
      AND json_typeof(metadata->'storage_path') = 'string'
      AND json_typeof(metadata->'payload_bytes') = 'number'
      AND metadata->>'payload_sha256' ~ '^[0-9a-f]{64}$'
    ELSE false
  END, false) ELSE true END`;

/** A message as a row; `ThreadMessage` is its typed form. */
@Entity('agent_messages')
@Unique('agent_messages_thread_seq', ['threadId', 'seq'])
@Check('agent_messages_role', `role IN ('user', 'assistant', 'reasoning', 'tool')`)
@Check('agent_messages_metadata', `json_typeof(metadata) = 'object'`)
@Check('agent_messages_tier', TIER_CHECK)
@Index('agent_messages_write_failed', { synchronize: false })
@Index('agent_messages_storage_path', { synchronize: false })
export class MessageEntity {
  @PrimaryColumn({
    name: 'thread_id',
    type: 'text',
    primaryKeyConstraintName: 'agent_messages_pk',
  })
  threadId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'agent_messages_pk' })
  id!: string;

  @ManyToOne(() => ThreadEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'thread_id', foreignKeyConstraintName: 'agent_messages_thread_fk' })
  thread?: Relation<ThreadEntity>;

  @Column({ name: 'run_id', type: 'text' })
  runId!: string;

  @Column({ type: 'bigint' })
  seq!: string;

  @Column({ type: 'text' })
  role!: MessageRole;

  @Column({ type: 'text' })
  content!: string;

  /** `json`, not `jsonb`: a record that is moved out has its keys in the order of its checksum. */
  @Column({ type: 'json' })
  metadata!: ThreadMessage['metadata'];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
