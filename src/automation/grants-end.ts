import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SessionEndings } from '../auth/session-endings.js';
import { GrantedTasks } from '../modules/scheduler/granted-tasks.js';
import { GrantService } from './grant.service.js';

/**
 * An account that is shut out loses its grants in the same unit of work: when it is let in again, its
 * tasks stay off until the person switches them on. A sign-out leaves them, they are made to act then.
 */
@Injectable()
export class GrantsEnd implements OnModuleInit, OnModuleDestroy {
  private unregister: (() => void) | null = null;

  constructor(
    private readonly endings: SessionEndings,
    private readonly tasks: GrantedTasks,
    private readonly grants: GrantService,
  ) {}

  onModuleInit(): void {
    this.unregister = this.endings.register(async ({ userId, reason }) => {
      if (reason !== 'account_disabled') return;
      // Tasks first, as whoever changes one locks it before its grant.
      await this.tasks.disown(userId);
      await this.grants.withdrawAll(userId);
    });
  }

  onModuleDestroy(): void {
    this.unregister?.();
  }
}
