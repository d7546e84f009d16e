import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import type { Relation } from 'typeorm';
import { UserEntity } from './user.entity.js';

/** One refresh token. All that descend from one sign-in are a family. Only the hash is kept. */
@Entity({ name: 'refresh_tokens' })
@Unique('uq_refresh_tokens_token_hash', ['tokenHash'])
@Index('ix_refresh_tokens_user', ['userId', 'expiresAt'])
@Index('ix_refresh_tokens_family', ['familyId'])
export class RefreshTokenEntity {
  @PrimaryColumn({ name: 'id', type: 'text', primaryKeyConstraintName: 'pk_refresh_tokens' })
  id!: string;

  @Column({ name: 'family_id', type: 'text' })
  familyId!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'fk_refresh_tokens_user' })
  user?: Relation<UserEntity>;

  /** SHA-256 of the token. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ name: 'issued_at', type: 'timestamptz' })
  issuedAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  /** When it was exchanged for the next one. */
  @Column({ name: 'spent_at', type: 'timestamptz', nullable: true })
  spentAt!: Date | null;

  /** When its family was revoked. */
  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
