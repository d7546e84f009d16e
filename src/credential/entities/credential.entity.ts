import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { ThreadEntity } from '../../threads/entities/thread.entity.js';

/** A controlled credential that was issued; the token is not in here (PROTOCOL §13). */
@Entity({ name: 'credentials' })
@Index('ix_credentials_run', ['userId', 'runId'])
@Index('ix_credentials_user', ['userId', 'expiresAt'])
@Index('ix_credentials_thread', ['threadId'])
@Index('ix_credentials_session', ['sessionId'])
export class CredentialEntity {
  @PrimaryColumn({ name: 'jti', type: 'text', primaryKeyConstraintName: 'pk_credentials' })
  jti!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @Column({ name: 'actor', type: 'text' })
  actor!: string;

  @Column({ name: 'run_id', type: 'text', nullable: true })
  runId!: string | null;

  @Column({ name: 'thread_id', type: 'text', nullable: true })
  threadId!: string | null;

  @ManyToOne(() => ThreadEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'thread_id', foreignKeyConstraintName: 'credentials_thread_fk' })
  thread?: Relation<ThreadEntity>;

  /** Of the bearer token that it was exchanged for; it ends with that session. */
  @Column({ name: 'session_id', type: 'text', nullable: true })
  sessionId!: string | null;

  @Column({ name: 'scope', type: 'text', array: true })
  scope!: string[];

  @Column({ name: 'profile', type: 'text' })
  profile!: string;

  /** Skills that its holder may see; null is what the deployment enables. */
  @Column({ name: 'enabled_skills', type: 'jsonb', nullable: true })
  enabledSkills!: string[] | null;

  @Column({ name: 'issued_at', type: 'timestamptz' })
  issuedAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
