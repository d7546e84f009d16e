import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import type { SessionEnd } from '../session-end.js';
import { UserEntity } from './user.entity.js';

/** A sign-in and what became of it; its id is the family of its refresh tokens. */
@Entity({ name: 'sessions' })
@Index('ix_sessions_user', ['userId', 'expiresAt'])
@Check('ck_sessions_end', '(ended_at IS NULL) = (end_reason IS NULL)')
export class SessionEntity {
  @PrimaryColumn({ name: 'id', type: 'text', primaryKeyConstraintName: 'pk_sessions' })
  id!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'fk_sessions_user' })
  user?: Relation<UserEntity>;

  @Column({ name: 'started_at', type: 'timestamptz' })
  startedAt!: Date;

  /** When its newest refresh token expires. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  @Column({ name: 'end_reason', type: 'text', nullable: true })
  endReason!: SessionEnd | null;
}
