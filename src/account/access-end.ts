import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { RunService } from '../agent/runs/run.service.js';
import type { EndedSessions } from '../auth/session-end.js';
import { SessionEndings } from '../auth/session-endings.js';
import { StewardError } from '../common/steward-error.js';
import { CredentialService } from '../credential/credential.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/**
 * What ends with a session: the controlled credentials that were exchanged under it, in the same unit
 * of work, and once that has committed the runs that hold one, which end as cancelled. With an account
 * that is shut out, all of its credentials and the runs that hold one. A run that waits for an answer holds none and stays:
 * it can only go on under a bearer token.
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
    const runIds = await this.credentials.revokeEnded(ended);
    // A run that is aborted writes its end, which must not happen within this transaction.
    this.uow.afterCommit(() => {
      for (const runId of runIds) void this.cancel(ended.userId, runId);
    });
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
