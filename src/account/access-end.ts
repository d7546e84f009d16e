import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { RunService } from '../agent/runs/run.service.js';
import type { EndedSessions } from '../auth/session-end.js';
import { SessionEndings } from '../auth/session-endings.js';
import { StewardError } from '../common/steward-error.js';
import { CredentialService } from '../credential/credential.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/**
 * What ends with a session: the controlled credentials that were exchanged under it, in the same unit
 * of work, and once that has committed the runs that hold one, and those that wait for an answer, which end
 * as cancelled. With an account that is shut out, all of its credentials, and runs that hold one or wait.
 */
@Injectable()
export class AccessEnd implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(AccessEnd.name);
  private unregister: (() => void) | null = null;

  constructor(
    private readonly endings: SessionEndings,
    private readonly credentials: CredentialService,
    private readonly runs: RunService,
    private readonly uow: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.unregister = this.endings.register((ended) => this.end(ended));
  }

  onModuleDestroy(): void {
    this.unregister?.();
  }

  private async end(ended: EndedSessions): Promise<void> {
    const { userId, sessionIds, reason } = ended;
    const runIds = await this.credentials.revokeEnded(ended);
    // After that: a run that comes to wait has given its credential back before, or is among the others.
    const sessions = reason === 'account_disabled' ? null : sessionIds;
    const waiting = await this.runs.waitingUnder(userId, sessions);
    // A run that is aborted writes its end, which must not happen within this transaction.
    this.uow.afterCommit(() => {
      for (const runId of runIds) void this.cancel(userId, runId);
      void this.cancelEach(userId, waiting);
    });
  }

  /** Nothing is executed meanwhile, so one after the other. */
  private async cancelEach(userId: string, runIds: string[]): Promise<void> {
    for (const runId of runIds) await this.cancel(userId, runId);
  }

  private async cancel(userId: string, runId: string): Promise<void> {
    try {
      await this.runs.cancel(userId, runId);
    } catch (error) {
      // A credential may outlive the row of its run; there is nothing to cancel then.
      if (error instanceof StewardError && error.code === 'NOT_FOUND') return;
      // Without a credential it comes no further than its next call.
      this.logger.error(`Run ${runId} could not be cancelled: ${String(error)}`);
    }
  }
}
