import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { fairDelayMs } from '../queue/fair-order.js';
import { PlaceTaken } from './place-taken.js';
import { INSTANCE_ID } from '../queue/run-leases.js';
import { RunIntakeRepository } from './run-intake.repository.js';
import { assertRoom } from './run-limits.js';
import { RunWakeups } from '../queue/run-wakeups.js';
import type { Run } from '../run.js';

/** Takes new runs into the queue, which is their rows. */
@Injectable()
export class RunIntake {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly rows: RunIntakeRepository,
    private readonly wakeups: RunWakeups,
  ) {}

  /**
   * Stores a queued run, in the unit of work that stores all else of it. The runs of one user are
   * taken in one after another, so that their limit is exact; that of the queue may be passed by as
   * many as come at the same moment.
   * @param held this process executes it next; otherwise it waits for one with a free place.
   * @throws TooManyRuns; PlaceTaken when its id or key is taken or its thread has another.
   */
  async take(run: Run, held: boolean): Promise<void> {
    const { RUN_MAX_ACTIVE_PER_USER: ofUser, RUN_QUEUE_MAX: queued } = this.config;
    const limits = { ofUser, queued };
    await this.rows.lock(run.userId);
    const load = await this.rows.load(run.userId, { ofUser, queued: held ? 0 : queued });
    assertRoom(load, limits, !held);
    const stored = await this.rows.insert(run, {
      hold: held
        ? { instanceId: this.instanceId, leaseSeconds: this.config.RUN_LEASE_SECONDS }
        : null,
      fairDelayMs: fairDelayMs(load.ofUser),
    });
    if (!stored) throw new PlaceTaken();
    if (!held) await this.wakeups.announce(run);
  }
}
