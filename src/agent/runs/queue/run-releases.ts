import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { RunLeaseRepository } from './run-lease.repository.js';
import { INSTANCE_ID, goesOnElsewhere } from './run-leases.js';
import { RunWakeups } from './run-wakeups.js';
import type { RunKey } from '../run.js';

/** Before a run is let go of: a database that is away is not asked without a pause by all its runs. */
const PAUSE_MS = 500;

/** Lets go of runs without an end: whoever has a place claims them and goes on with their rows. */
@Injectable()
export class RunReleases {
  private readonly logger = new Logger(RunReleases.name);

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly leases: RunLeaseRepository,
    private readonly wakeups: RunWakeups,
    private readonly uow: UnitOfWork,
  ) {}

  /**
   * Lets go of one run, as soon as the database takes it. Never rejects: a run that cannot be let go of
   * while its lease holds is claimed once that is over.
   * @param cause why it is not gone on with here.
   * @param signal of its execution: a run that goes on elsewhere by now is left alone.
   * @param failed counts as an attempt (RUN_MAX_ATTEMPTS).
   */
  async release(run: RunKey, cause: unknown, signal: AbortSignal, failed = false): Promise<void> {
    this.logger.warn(`Run ${run.id} is let go of: ${String(cause)}`);
    const until = performance.now() + this.config.RUN_LEASE_SECONDS * 1000;
    while (performance.now() < until) {
      await delay(PAUSE_MS);
      if (goesOnElsewhere(signal.reason)) return;
      try {
        await this.uow.run(async () => {
          if (await this.leases.release(run, this.instanceId, failed)) {
            await this.wakeups.announce(run);
          }
        });
        return;
      } catch (error) {
        this.logger.warn(`Run ${run.id} could not be let go of: ${String(error)}`);
      }
    }
  }

  /** Lets go of all runs of this process, which stops. Never rejects. */
  async releaseAll(): Promise<void> {
    try {
      await this.uow.run(async () => {
        const left = await this.leases.releaseAll(this.instanceId);
        if (left === 0) return;
        this.logger.log(`${left} run(s) were handed over.`);
        await this.wakeups.announce();
      });
    } catch (error) {
      // They are taken up once their leases are over.
      this.logger.warn(`Runs could not be handed over: ${String(error)}`);
    }
  }
}
