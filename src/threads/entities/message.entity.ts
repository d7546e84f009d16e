import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import type { Relation } from 'typeorm';
import type { MessageRole, ThreadMessage } from '../thread-message.js';
import { ThreadEntity } from './thread.entity.js';

/** A message as a row; `ThreadMessage` is its typed form. */
@Entity('agent_messages')
@Unique('agent_messages_thread_seq', ['threadId', 'seq'])
@Check('agent_messages_role', `role IN ('user', 'assistant', 'tool')`)
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

  @Column({ type: 'jsonb' })
  metadata!: ThreadMessage['metadata'];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
