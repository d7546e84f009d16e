import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WhitelistDocument } from '../policy.js';

/** One version of the whitelist; the highest is in force, all are kept. */
@Entity('whitelist_versions')
export class WhitelistVersionEntity {
  /** Grows by one. */
  @PrimaryColumn('integer')
  version!: number;

  @Column('jsonb')
  document!: WhitelistDocument;

  /** User id of the admin; null for the version of a fresh installation. */
  @Column('text', { name: 'created_by', nullable: true })
  createdBy!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Version whose document this one took up again. */
  @Column('integer', { name: 'restored_from', nullable: true })
  restoredFrom!: number | null;

  /** Rules that the version before had not; null of versions that were made before this was counted. */
  @Column('integer', { nullable: true })
  added!: number | null;

  /** Rules of the version before that this one has not. */
  @Column('integer', { nullable: true })
  removed!: number | null;
}
