import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How often a limited method has been called in one window; CallCounter counts. */
@Entity('call_counts')
export class CallCountEntity {
  @PrimaryColumn('text')
  capability!: string;

  /** Name of the limit that counts so. */
  @PrimaryColumn('text')
  window!: string;

  /** Whose calls: a user and run, a user, or everybody's (''). */
  @PrimaryColumn('text')
  subject!: string;

  @PrimaryColumn('timestamptz', { name: 'starts_at' })
  startsAt!: Date;

  /** With whom the row goes; null for what everybody counts in. */
  @Index('call_counts_user')
  @Column('text', { name: 'user_id', nullable: true })
  userId!: string | null;

  @Column('integer')
  calls!: number;

  @Index('call_counts_expired')
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
