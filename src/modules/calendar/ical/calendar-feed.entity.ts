import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A private subscription URL of one owner. Whoever has the URL reads; the token itself is not kept. */
@Entity('calendar_feeds')
@Index('calendar_feeds_owner', ['ownerId', 'createdAt'])
@Index('calendar_feeds_token', ['tokenHash'], { unique: true })
export class CalendarFeed {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'calendar_feeds_pk' })
  id!: string;

  @Column({ name: 'owner_id', type: 'text' })
  ownerId!: string;

  @Column({ type: 'text' })
  name!: string;

  /** SHA-256 of the token, hex: the token has 256 random bits, so a slow hash would add nothing. */
  @Column({ name: 'token_hash', type: 'text' })
  tokenHash!: string;

  /** Zone of the owner when the feed was made; floating times and dates are read in it. */
  @Column({ type: 'text' })
  timezone!: string;

  /** SHA-256 of what was served last, and since when it has been that. */
  @Column({ name: 'content_hash', type: 'text', nullable: true })
  contentHash!: string | null;

  @Column({ name: 'changed_at', type: 'timestamptz', precision: 3 })
  changedAt!: Date;

  @Column({ name: 'last_read_at', type: 'timestamptz', precision: 3, nullable: true })
  lastReadAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
