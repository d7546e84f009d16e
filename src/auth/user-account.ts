import type { Locale } from '../common/locale.js';
import type { Role } from './principal.js';

/** An account as the rest of the product sees it: never with the password hash. */
export interface UserAccount {
  /** `usr_…` */
  id: string;
  /** Normalised: lower case. */
  email: string;
  displayName: string;
  /** IANA zone. */
  timezone: string;
  locale: Locale;
  role: Role;
  disabledAt: Date | null;
  createdAt: Date;
}

/** What a new account needs; what is absent gets a default. */
export interface NewAccount {
  email: string;
  password: string;
  /** Default: the part of the address before the `@`. */
  displayName?: string | undefined;
  /** IANA zone; default UTC. */
  timezone?: string | undefined;
  /** Any language tag; the nearest spoken locale is taken. */
  locale?: string | undefined;
}

/** What a user may change of the own account; what is absent stays. */
export interface AccountChanges {
  displayName?: string | undefined;
  timezone?: string | undefined;
  locale?: string | undefined;
}

/** What an admin may change of an account; what is absent stays. */
export interface AdminChanges {
  disabled?: boolean | undefined;
  role?: Role | undefined;
  displayName?: string | undefined;
}

/** Which accounts an admin looks for. */
export interface UserSearch {
  /** How the address or the name begins, in any case. */
  prefix?: string | undefined;
  /** Id of the last account of the page before. */
  after?: string | undefined;
  limit: number;
}
