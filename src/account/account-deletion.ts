import { Injectable } from '@nestjs/common';
import { RunService } from '../agent/runs/run.service.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Principal } from '../auth/principal.js';
import { UserService } from '../auth/user.service.js';
import { StewardError } from '../common/steward-error.js';
import { PersonalData } from '../database/personal-data.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { EventLog } from '../events/event-log.js';
import { OutputSweeper } from '../output-storage/output-sweeper.js';
import { ThreadService } from '../threads/thread.service.js';
import { PersonalRows } from './personal-rows.js';

/** Deletes an account with everything of its user. */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly users: UserService,
    private readonly threads: ThreadService,
    private readonly runs: RunService,
    private readonly log: EventLog,
    private readonly sweeper: OutputSweeper,
    private readonly data: PersonalData,
    private readonly rows: PersonalRows,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * All rows go in one transaction, streams end with it, and the objects go after it. Tokens and
   * credentials are refused from then on: here at once, on other replicas as the notification arrives.
   * @throws StewardError FORBIDDEN for a wrong password, RUN_ACTIVE while a run is under way,
   *   CONFLICT for the last admin.
   */
  async delete({ userId, email }: Principal, password: string): Promise<void> {
    await this.confirm(email, password);
    await this.uow.run(async () => {
      const threadIds = await this.threads.lockAll(userId);
      if (await this.runs.isActive(userId)) {
        throw new StewardError('RUN_ACTIVE', 'A run is active: cancel it first.');
      }
      for (const threadId of threadIds) await this.log.forget(threadId);
      const counts = await this.rows.count(this.data.tables(), userId);
      await this.users.remove(userId);
      await this.audit.record({
        kind: 'account_erased',
        actor: userId,
        subject: userId,
        outcome: 'success',
        details: { rows: counts },
      });
    });
    this.sweeper.soon();
  }

  private async confirm(email: string, password: string): Promise<void> {
    try {
      await this.users.authenticate(email, password);
    } catch (error) {
      if (!(error instanceof StewardError) || error.code !== 'CREDENTIAL_INVALID') throw error;
      // The bearer token is good: its holder must not take this for the end of the session.
      throw new StewardError('FORBIDDEN', 'The password is wrong.');
    }
  }
}
