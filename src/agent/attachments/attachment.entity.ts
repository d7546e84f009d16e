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
import { ThreadEntity } from '../../threads/entities/thread.entity.js';
import type { StoredAttachment } from './attachment.js';

/** An attachment as a row. A trigger notes the object of a deleted row for deletion. */
@Entity('attachments')
@Unique('attachments_storage_path', ['storagePath'])
@Check('attachments_bytes', 'bytes > 0')
@Index('attachments_user', ['userId'])
@Index('attachments_thread', ['threadId'])
@Index('attachments_unused', ['createdAt'], { where: 'thread_id IS NULL' })
export class AttachmentEntity implements StoredAttachment {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'attachments_pk' })
  id!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ name: 'thread_id', type: 'text', nullable: true })
  threadId!: string | null;

  @ManyToOne(() => ThreadEntity, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'thread_id', foreignKeyConstraintName: 'attachments_thread_fk' })
  thread?: Relation<ThreadEntity> | null;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'media_type', type: 'text' })
  mediaType!: string;

  @Column({ type: 'integer' })
  bytes!: number;

  @Column({ type: 'text' })
  sha256!: string;

  @Column({ name: 'storage_path', type: 'text' })
  storagePath!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
