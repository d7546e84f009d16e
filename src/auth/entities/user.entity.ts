import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { Locale } from '../../common/locale.js';
import type { Role } from '../principal.js';

/** An account of the embedded issuer. `email` is stored normalised (see email.ts). */
@Entity({ name: 'users' })
@Unique('uq_users_email', ['email'])
@Index('ix_users_email_prefix', { synchronize: false })
@Check('ck_users_role', `role IN ('admin', 'user', 'guest')`)
export class UserEntity {
  @PrimaryColumn({ name: 'id', type: 'text', primaryKeyConstraintName: 'pk_users' })
  id!: string;

  @Column({ name: 'email', type: 'text' })
  email!: string;

  @Column({ name: 'display_name', type: 'text' })
  displayName!: string;

  @Column({ name: 'password_hash', type: 'text' })
  passwordHash!: string;

  @Column({ name: 'role', type: 'text' })
  role!: Role;

  @Column({ name: 'timezone', type: 'text' })
  timezone!: string;

  @Column({ name: 'locale', type: 'text' })
  locale!: Locale;

  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true })
  disabledAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
