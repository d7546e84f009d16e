import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { UserEntity } from './entities/user.entity.js';
import type { UserAccount, UserSearch } from './user-account.js';

/** Key of the advisory lock under which the first account is chosen. */
const FIRST_ACCOUNT_LOCK = 7_203_146;

/** All that is read from and written to `users`. */
@Injectable()
export class UserRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get users() {
    return this.uow.manager.getRepository(UserEntity);
  }

  async findById(id: string): Promise<UserAccount | null> {
    const row = await this.users.findOneBy({ id });
    return row && toAccount(row);
  }

  /** @param email normalised. */
  async findByEmail(email: string): Promise<(UserAccount & { passwordHash: string }) | null> {
    const row = await this.users.findOneBy({ email });
    return row && { ...toAccount(row), passwordHash: row.passwordHash };
  }

  async findManyByIds(ids: string[]): Promise<UserAccount[]> {
    if (ids.length === 0) return [];
    return (await this.users.findBy({ id: In(ids) })).map(toAccount);
  }

  /** @param emails normalised. */
  async findManyByEmail(emails: string[]): Promise<UserAccount[]> {
    if (emails.length === 0) return [];
    return (await this.users.findBy({ email: In(emails) })).map(toAccount);
  }

  /** Newest first; ids grow with time. */
  async search({ prefix, after, limit }: UserSearch): Promise<UserAccount[]> {
    const query = this.users.createQueryBuilder('user').orderBy('user.id', 'DESC').limit(limit);
    if (after !== undefined) query.andWhere('user.id < :after', { after });
    if (prefix !== undefined) {
      const pattern = `${prefix.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
      query.andWhere('(user.email LIKE :pattern OR lower(user.display_name) LIKE :pattern)', {
        pattern,
      });
    }
    return (await query.getMany()).map(toAccount);
  }

  async isEmpty(): Promise<boolean> {
    return !(await this.users.createQueryBuilder('user').select('1').limit(1).getRawOne());
  }

  /** Waits until no other transaction is choosing the first account; held until this one ends. */
  async lockFirstAccount(): Promise<void> {
    await this.uow.manager.query('SELECT pg_advisory_xact_lock($1)', [FIRST_ACCOUNT_LOCK]);
  }

  /** @returns false when the address is taken; nothing is written then. */
  async insert(user: UserEntity): Promise<boolean> {
    const { raw } = await this.users
      .createQueryBuilder()
      .insert()
      .values(user)
      .orIgnore()
      .returning('id')
      .execute();
    return Array.isArray(raw) && raw.length === 1;
  }

  /** Whether an admin who is not shut out remains besides this one. */
  async hasOtherAdmin(id: string): Promise<boolean> {
    return this.users.existsBy({ id: Not(id), role: 'admin', disabledAt: IsNull() });
  }

  /** Deletes the account; the database's triggers delete what is its user's. */
  async delete(id: string): Promise<void> {
    await this.users.delete({ id });
  }

  /** @returns false when there is no such account. */
  async update(id: string, changes: Partial<Omit<UserEntity, 'id'>>): Promise<boolean> {
    const { affected } = await this.users.update({ id }, changes);
    return affected === 1;
  }
}

function toAccount(row: UserEntity): UserAccount {
  return {
    id: row.id,
    email: row.email,
    displayName: row.displayName,
    timezone: row.timezone,
    locale: row.locale,
    role: row.role,
    disabledAt: row.disabledAt,
    createdAt: row.createdAt,
  };
}
