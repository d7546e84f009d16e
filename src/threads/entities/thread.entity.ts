import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A conversation and its owner. The id may come from the client (PROTOCOL §11). */
@Entity('agent_threads')
@Index('agent_threads_user_updated', ['userId', 'updatedAt', 'id'])
export class ThreadEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'agent_threads_pk' })
  id!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ type: 'text' })
  title!: string;

  /** `seq` of the newest message; the row lock on it hands out the next ones. */
  @Column({ name: 'last_seq', type: 'bigint' })
  lastSeq!: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;
}
