import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SealKind } from '../chain.js';

/** The signed head of a batch of entries, or the signed end of a prefix that retention removed. */
@Entity('audit_seals')
export class AuditSealEntity {
  /** Of the last entry that it covers. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'audit_seals_pkey' })
  seq!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'audit_seals_pkey' })
  kind!: SealKind;

  /** Of the first entry that it covers. */
  @Column('bigint', { name: 'first_seq' })
  firstSeq!: string;

  /** Of the entry `seq`. */
  @Column('text')
  hash!: string;

  @Column('timestamptz', { name: 'sealed_at' })
  sealedAt!: Date;

  /** Key of the issuer that signed. */
  @Column('text')
  kid!: string;

  @Column('text')
  signature!: string;
}
