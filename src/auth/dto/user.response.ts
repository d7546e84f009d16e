import { IsDateString, IsEmail, IsIn, IsString } from 'class-validator';
import { LOCALES, type Locale } from '../../common/locale.js';
import { ROLES, type Role } from '../principal.js';
import type { UserAccount } from '../user-account.js';

/** An account as its owner sees it. */
export class UserResponse {
  @IsString()
  id!: string;

  @IsEmail()
  email!: string;

  @IsString()
  displayName!: string;

  /** IANA zone. */
  @IsString()
  timezone!: string;

  @IsIn(LOCALES)
  locale!: Locale;

  @IsIn(ROLES)
  role!: Role;

  /** ISO 8601, UTC. */
  @IsDateString()
  createdAt!: string;

  static of(account: UserAccount): UserResponse {
    return {
      id: account.id,
      email: account.email,
      displayName: account.displayName,
      timezone: account.timezone,
      locale: account.locale,
      role: account.role,
      createdAt: account.createdAt.toISOString(),
    };
  }
}
