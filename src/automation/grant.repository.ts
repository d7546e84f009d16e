import { Injectable } from '@nestjs/common';
import { IsNull, LessThan } from 'typeorm';
import { UnitOfWork } from '../database/unit-of-work.js';
import { AutomationGrantEntity } from './entities/automation-grant.entity.js';

/** Rows of `automation_grants`. */
@Injectable()
export class GrantRepository {
  constructor(private readonly uow: UnitOfWork) {}

  private get rows() {
    return this.uow.manager.getRepository(AutomationGrantEntity);
  }

  find(userId: string, id: string): Promise<AutomationGrantEntity | null> {
    return this.rows.findOneBy({ userId, id });
  }

  /** Whether the grant holds; it then holds until the transaction ends. */
  async hold(userId: string, id: string): Promise<boolean> {
    const found = await this.rows.findOne({
      where: { userId, id, withdrawnAt: IsNull() },
      lock: { mode: 'pessimistic_read' },
    });
    return found !== null;
  }

  async insert(grant: AutomationGrantEntity): Promise<void> {
    await this.rows.insert(grant);
  }

  /** Waits for who holds it. @returns false when it did not hold any more. */
  async withdraw(userId: string, id: string, at: Date): Promise<boolean> {
    const { affected } = await this.rows.update(
      { userId, id, withdrawnAt: IsNull() },
      { withdrawnAt: at },
    );
    return affected === 1;
  }

  /** The same for every grant of a user. @returns the ids of those that held. */
  async withdrawAll(userId: string, at: Date): Promise<string[]> {
    const { raw } = await this.rows
      .createQueryBuilder()
      .update()
      .set({ withdrawnAt: at })
      .where({ userId, withdrawnAt: IsNull() })
      .returning(['id'])
      .execute();
    return (raw as { id: string }[]).map(({ id }) => id);
  }

  async deleteWithdrawnBefore(userId: string, before: Date): Promise<void> {
    await this.rows.delete({ userId, withdrawnAt: LessThan(before) });
  }
}
