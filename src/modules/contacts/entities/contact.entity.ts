import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Address, ExtraFact, Labelled, NameParts, Phone } from '../contact-facts.js';

/** A row of `contacts`. The columns after `updated_at` are what it is found by (`searchColumns`). */
@Entity('contacts')
@Index('contacts_owner_sort', ['ownerId', 'sortKey', 'id'])
@Index('contacts_owner_uid', ['ownerId', 'uid'], { unique: true })
@Index('contacts_search', { synchronize: false })
@Check('contacts_version', 'version > 0')
@Check(
  'contacts_avatar',
  'num_nonnulls(avatar_type, avatar_data) IN (0, 2) AND (avatar_url IS NULL OR avatar_data IS NULL)',
)
export class Contact {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'contacts_pk' })
  id!: string;

  @Column({ name: 'owner_id', type: 'text' })
  ownerId!: string;

  @Column({ type: 'text' })
  uid!: string;

  @Column({ name: 'merged_uids', type: 'text', array: true })
  mergedUids!: string[];

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'name_parts', type: 'jsonb' })
  nameParts!: NameParts;

  @Column({ type: 'text', array: true })
  aliases!: string[];

  @Column({ type: 'text', nullable: true })
  organization!: string | null;

  @Column({ type: 'text', nullable: true })
  department!: string | null;

  @Column({ type: 'text', nullable: true })
  title!: string | null;

  @Column({ type: 'jsonb' })
  emails!: Labelled[];

  @Column({ type: 'jsonb' })
  phones!: Phone[];

  @Column({ type: 'jsonb' })
  addresses!: Address[];

  @Column({ type: 'jsonb' })
  urls!: Labelled[];

  @Column({ type: 'text', array: true })
  groups!: string[];

  @Column({ type: 'text', nullable: true })
  birthday!: string | null;

  @Column({ type: 'text', nullable: true })
  notes!: string | null;

  @Column({ name: 'avatar_url', type: 'text', nullable: true })
  avatarUrl!: string | null;

  @Column({ name: 'avatar_type', type: 'text', nullable: true })
  avatarType!: string | null;

  /** Large: read only where it is asked for. */
  @Column({ name: 'avatar_data', type: 'bytea', nullable: true, select: false })
  avatarData?: Buffer | null;

  /** Large: read only where it is asked for. */
  @Column({ type: 'jsonb', select: false })
  extra?: ExtraFact[];

  @Column({ type: 'integer' })
  version!: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date;

  @Column({ name: 'sort_key', type: 'text' })
  sortKey!: string;

  @Column({ name: 'name_text', type: 'text', select: false })
  nameText?: string;

  @Column({ name: 'search_text', type: 'text', select: false })
  searchText?: string;

  @Column({ name: 'identity_keys', type: 'text', array: true, select: false })
  identityKeys?: string[];

  @Column({ name: 'search_keys', type: 'text', array: true, select: false })
  searchKeys?: string[];
}
