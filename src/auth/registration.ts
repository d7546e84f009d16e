import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { toLocale } from '../common/locale.js';
import { StewardError } from '../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { normalizeEmail } from './email.js';
import type { UserEntity } from './entities/user.entity.js';
import { requireZone } from './iana-zone.js';
import { PasswordHasher } from './password-hasher.js';
import type { Role } from './principal.js';
import type { NewAccount, UserAccount } from './user-account.js';
import { UserRepository } from './user.repository.js';

/** How accounts come to be. */
@Injectable()
export class Registration {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly users: UserRepository,
    private readonly passwords: PasswordHasher,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes an account; the first of all is the admin.
   * @throws StewardError FORBIDDEN when registration is closed, CONFLICT when the address is taken,
   * INVALID_ACTION_INPUT for an unknown time zone.
   */
  async register(input: NewAccount): Promise<UserAccount> {
    const email = normalizeEmail(input.email);
    const timezone = requireZone(input.timezone ?? 'UTC');
    // Both are checked again below; here they spare the cost of a hash.
    if (!(await this.users.isEmpty())) this.assertRegistrationOpen();
    if (await this.users.findByEmail(email)) throw taken();

    const passwordHash = await this.passwords.hash(input.password);
    return this.uow.run(async () => {
      const now = this.clock.now();
      const user: UserEntity = {
        id: newId('usr'),
        email,
        displayName: input.displayName ?? email.slice(0, email.lastIndexOf('@')),
        passwordHash,
        role: await this.roleOfNext(),
        timezone,
        locale: toLocale(input.locale),
        disabledAt: null,
        createdAt: now,
        updatedAt: now,
      };
      if (!(await this.users.insert(user))) throw taken();
      await this.audit.record({
        kind: 'user_changed',
        actor: user.id,
        subject: user.id,
        outcome: 'success',
        details: { registered: true, role: user.role },
      });
      const { passwordHash: _hash, updatedAt: _updatedAt, ...account } = user;
      return account;
    });
  }

  /** Two first registrations at once wait for each other, so that one of them is the admin. */
  private async roleOfNext(): Promise<Role> {
    if (await this.users.isEmpty()) {
      await this.users.lockFirstAccount();
      if (await this.users.isEmpty()) return 'admin';
    }
    this.assertRegistrationOpen();
    return 'user';
  }

  private assertRegistrationOpen(): void {
    if (this.config.AUTH_REGISTRATION === 'closed') {
      throw new StewardError('FORBIDDEN', 'Registration is closed on this server.');
    }
  }
}

/** Says that an address has an account; so does every sign-up form that works without email. */
function taken(): StewardError {
  return new StewardError('CONFLICT', 'There is already an account with this email address.');
}
