import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A sealed entry of the audit. Columns beside `content` repeat members of it, to be searched by. */
@Entity('audit_entries')
@Index('audit_entries_id_idx', ['id'])
@Index('audit_entries_at_idx', ['at'])
@Index('audit_entries_kind_idx', ['kind', 'seq'])
@Index('audit_entries_actor_idx', ['actor', 'seq'], { where: 'actor IS NOT NULL' })
@Index('audit_entries_subject_idx', ['subject', 'seq'], { where: 'subject IS NOT NULL' })
@Index('audit_entries_run_idx', ['runId', 'seq'], { where: 'run_id IS NOT NULL' })
export class AuditEntryEntity {
  /** Consecutive, from 1; `bigint` arrives as text. */
  @PrimaryColumn('bigint')
  seq!: string;

  @Column('text')
  id!: string;

  @Column('timestamptz')
  at!: Date;

  @Column('text')
  kind!: string;

  @Column('text', { nullable: true })
  actor!: string | null;

  @Column('text', { nullable: true })
  subject!: string | null;

  @Column('text', { name: 'run_id', nullable: true })
  runId!: string | null;

  /** Text, not JSON: the chain is over its bytes. */
  @Column('text')
  content!: string;

  /** False when the sealer found that no server had written it. */
  @Column('boolean')
  attested!: boolean;

  @Column('text', { name: 'prev_hash' })
  prevHash!: string;

  @Column('text')
  hash!: string;
}
