import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** That a person lets their tasks act for them, until they take it back. */
@Entity('automation_grants')
@Index('automation_grants_user', ['userId'])
export class AutomationGrantEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'automation_grants_pk' })
  id!: string;

  @Column({ name: 'user_id', type: 'text' })
  userId!: string;

  /** Whitelist profile under which it acts. */
  @Column({ type: 'text' })
  profile!: string;

  /** Scope of the credentials that it becomes. */
  @Column({ type: 'jsonb' })
  scope!: string[];

  @Column({ name: 'given_at', type: 'timestamptz', precision: 3 })
  givenAt!: Date;

  /** `bearer <jti>`, `approval <interrupt id>` or `button <jti>`. */
  @Column({ name: 'given_by', type: 'text' })
  givenBy!: string;

  @Column({ name: 'withdrawn_at', type: 'timestamptz', precision: 3, nullable: true })
  withdrawnAt!: Date | null;
}
