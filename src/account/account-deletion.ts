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
import { ActiveRuns } from './active-runs.js';
import { PersonalRows } from './personal-rows.js';

const STILL_ACTIVE =
  'The runs of the account were asked to end, and one has not ended yet. Nothing was deleted; try again.';

/** Deletes an account with everything of its user. */
@Injectable()
export class AccountDeletion {
  constructor(
    private readonly users: UserService,
    private readonly threads: ThreadService,
    private readonly runs: RunService,
    private readonly active: ActiveRuns,
    private readonly log: EventLog,
    private readonly sweeper: OutputSweeper,
    private readonly data: PersonalData,
    private readonly rows: PersonalRows,
    private readonly audit: AuditTrail,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Runs that are active are cancelled first. All rows go in one transaction, streams end with it, and the
   * objects go after it. Tokens and credentials are refused from then on: here at once, on other replicas as
   * the notification arrives.
   * @throws StewardError FORBIDDEN for a wrong password, CONFLICT for the last admin, before anything is
   *   cancelled; RUN_ACTIVE while a run has not ended, or has begun since.
   */
  async delete({ userId, email }: Principal, password: string): Promise<void> {
    await this.confirm(email, password);
    await this.users.assertRemovable(userId);
    await this.active.end(userId);
    await this.uow.run(async () => {
      const threadIds = await this.threads.lockAll(userId);
      if (await this.runs.isActive(userId)) {
        throw new StewardError('RUN_ACTIVE', STILL_ACTIVE, { retryAfterMs: 1_000 });
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
