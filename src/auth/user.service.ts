import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock.js';
import type { JsonObject } from '../common/json.js';
import { toLocale } from '../common/locale.js';
import { StewardError } from '../common/steward-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { AccountCache } from './account-cache.js';
import { normalizeEmail } from './email.js';
import type { UserEntity } from './entities/user.entity.js';
import { requireZone } from './iana-zone.js';
import { PasswordHasher } from './password-hasher.js';
import { Sessions } from './sessions.js';
import type { AccountChanges, AdminChanges, UserAccount, UserSearch } from './user-account.js';
import { UserRepository } from './user.repository.js';

/** Accounts of the embedded issuer. */
@Injectable()
export class UserService {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: AccountCache,
    private readonly passwords: PasswordHasher,
    private readonly sessions: Sessions,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  findById(id: string): Promise<UserAccount | null> {
    return this.users.findById(id);
  }

  /** @param email in any spelling. */
  async findByEmail(email: string): Promise<UserAccount | null> {
    const [account] = await this.users.findManyByEmail([normalizeEmail(email)]);
    return account ?? null;
  }

  /** The accounts that exist among `ids`, in no order; one query. */
  findManyByIds(ids: string[]): Promise<UserAccount[]> {
    return this.users.findManyByIds([...new Set(ids)]);
  }

  /** The accounts that exist among `emails` (any spelling), in no order; one query. */
  findManyByEmail(emails: string[]): Promise<UserAccount[]> {
    return this.users.findManyByEmail([...new Set(emails.map(normalizeEmail))]);
  }

  /**
   * The account with this address and password. Takes the same time and fails the same way for an
   * unknown address, a wrong password and a disabled account.
   * @throws StewardError CREDENTIAL_INVALID, RATE_LIMITED.
   */
  async authenticate(email: string, password: string): Promise<UserAccount> {
    const found = await this.users.findByEmail(normalizeEmail(email));
    const matches = await this.passwords.verify(password, found?.passwordHash);
    if (!found || !matches || found.disabledAt) {
      throw new StewardError('CREDENTIAL_INVALID', 'The email address or the password is wrong.');
    }
    const { passwordHash: _hash, ...account } = found;
    return account;
  }

  /**
   * Changes the profile; the new values hold from the next request.
   * @throws StewardError NOT_FOUND, INVALID_ACTION_INPUT for an unknown time zone.
   */
  async update(id: string, changes: AccountChanges): Promise<UserAccount> {
    const { displayName, timezone, locale } = changes;
    const columns = {
      ...(displayName !== undefined && { displayName }),
      ...(timezone !== undefined && { timezone: requireZone(timezone) }),
      ...(locale !== undefined && { locale: toLocale(locale) }),
    };
    return this.uow.run(async () => {
      const account = await this.write(id, columns);
      await this.record(
        id,
        id,
        Object.fromEntries(Object.keys(columns).map((name) => [name, true])),
      );
      return account;
    });
  }

  /**
   * What an admin changes of an account. Disabling ends its sessions, credentials and runs, here at
   * once and on other replicas as the notification arrives; enabling gives none of them back.
   * @throws StewardError NOT_FOUND; CONFLICT for shutting out or demoting the last active admin.
   */
  async administer(id: string, changes: AdminChanges, adminId: string): Promise<UserAccount> {
    const { disabled, role, displayName } = changes;
    return this.uow.run(async () => {
      // Two admins who shut each other out wait for each other, so that one stays.
      await this.users.lockFirstAccount();
      const before = await this.users.findById(id);
      if (!before) throw notFound();
      const losesAdmin = disabled === true || (role !== undefined && role !== 'admin');
      if (losesAdmin && isActiveAdmin(before) && !(await this.users.hasOtherAdmin(id))) {
        throw new StewardError('CONFLICT', 'The last active admin must stay one.');
      }
      const account = await this.write(id, {
        ...(displayName !== undefined && { displayName }),
        ...(role !== undefined && { role }),
        ...(disabled === true && !before.disabledAt && { disabledAt: this.clock.now() }),
        ...(disabled === false && { disabledAt: null }),
      });
      if (disabled === true) await this.sessions.endAll(id, 'account_disabled');
      await this.record(adminId, id, {
        ...(disabled !== undefined && { disabled }),
        ...(role !== undefined && { role }),
        ...(displayName !== undefined && { displayName: true }),
      });
      return account;
    });
  }

  /** Accounts as an admin looks for them, newest first; `after` is the last id of the page before. */
  search(query: UserSearch): Promise<UserAccount[]> {
    return this.users.search(query);
  }

  /**
   * Deletes the account and everything of its user (migration 18 says what). For a unit of work:
   * once it commits, the account's tokens and credentials are refused.
   * @throws StewardError CONFLICT for the last admin.
   */
  async remove(id: string): Promise<void> {
    // Two admins who leave at once wait for each other, so that one stays.
    await this.users.lockFirstAccount();
    await this.assertRemovable(id);
    await this.users.delete(id);
    await this.accounts.publishChange(id);
    this.uow.afterCommit(() => this.accounts.invalidate(id));
  }

  /** @throws StewardError CONFLICT for the last admin, as it is at this moment. */
  async assertRemovable(id: string): Promise<void> {
    const account = await this.users.findById(id);
    if (account?.role === 'admin' && !(await this.users.hasOtherAdmin(id))) {
      throw new StewardError('CONFLICT', 'The last admin cannot be deleted.');
    }
  }

  /** In the audit: what was changed; names and addresses are not in it. */
  private async record(actor: string, subject: string, details: JsonObject): Promise<void> {
    await this.audit.record({ kind: 'user_changed', actor, subject, outcome: 'success', details });
  }

  private async write(id: string, columns: Partial<Omit<UserEntity, 'id'>>): Promise<UserAccount> {
    return this.uow.run(async () => {
      const found = await this.users.update(id, { ...columns, updatedAt: this.clock.now() });
      await this.accounts.publishChange(id);
      this.uow.afterCommit(() => this.accounts.invalidate(id));
      const account = found ? await this.users.findById(id) : null;
      if (!account) throw notFound();
      return account;
    });
  }
}

function isActiveAdmin(account: UserAccount): boolean {
  return account.role === 'admin' && account.disabledAt === null;
}

function notFound(): StewardError {
  return new StewardError('NOT_FOUND', 'There is no such account.');
}
