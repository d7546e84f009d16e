import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { Notifications } from '../../database/notifications.js';
import { text } from '../texts.js';
import { CANCEL_CHANNEL, readCancelPayload } from './cancel-channel.js';
import { RunCloser } from './run-closer.js';
import { ShutdownError, cancelled, endingOf, unanswered } from './run-ending.js';
import { INSTANCE_ID, RunLeases, RunLostError, cancelledByUser } from './run-leases.js';
import { RunQueue } from './run-queue.js';
import { RunRepository } from './run.repository.js';
import type { Run } from './run.js';
import { WaitingRuns } from './waiting-runs.js';

/** Runs that are ended in one go. */
const BATCH = 50;

/**
 * What goes on beside the runs: leases are renewed, cancels of other replicas heard, runs of dead
 * processes and runs that nobody answers ended, and at the end of the process its own runs brought to an end.
 */
@Injectable()
export class RunSupervisor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RunSupervisor.name);
  private readonly timers: NodeJS.Timeout[] = [];
  private unsubscribe: (() => void) | null = null;
  private sweeping: Promise<void> | null = null;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly queue: RunQueue,
    private readonly runs: RunRepository,
    private readonly leases: RunLeases,
    private readonly closer: RunCloser,
    private readonly waiting: WaitingRuns,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.unsubscribe = this.notifications.subscribe(CANCEL_CHANNEL, (payload) => {
      const run = readCancelPayload(payload);
      if (run) this.queue.abort(run, cancelledByUser());
    });
    // The embedded database has one server: whatever is active in it was left by a dead process.
    await this.sweep(this.config.DATABASE_URL === undefined);
    const every = this.leases.intervalMs;
    this.timers.push(setInterval(() => void this.leases.renew(), every));
    this.timers.push(setInterval(() => void this.sweep(false), every));
  }

  /** Before the streams and the event log stop: clients still see how their runs end. */
  async onModuleDestroy(): Promise<void> {
    await this.queue.drain(this.config.SHUTDOWN_GRACE_MS, new ShutdownError());
    for (const timer of this.timers) clearInterval(timer);
    this.unsubscribe?.();
    await this.sweeping;
  }

  /**
   * Ends runs whose process is gone, and those that nobody answers in time. Never rejects; sweeps do
   * not overlap.
   */
  sweep(atOnce: boolean): Promise<void> {
    this.sweeping ??= this.endLostRuns(atOnce)
      .then(() => this.endUnanswered())
      .finally(() => {
        this.sweeping = null;
      });
    return this.sweeping;
  }

  /** Each sweep takes some; one that cannot be ended does not hold up the others. */
  private async endUnanswered(): Promise<void> {
    try {
      for (const run of await this.runs.findUnanswered(this.clock.now(), BATCH)) {
        await this.waiting.end(run, unanswered(run.locale)).catch((error: unknown) => {
          this.logger.warn(`Run ${run.id}, which waits, could not be ended: ${String(error)}`);
        });
      }
    } catch (error) {
      this.logger.warn(`Runs that nobody answers could not be looked for: ${String(error)}`);
    }
  }

  private async endLostRuns(atOnce: boolean): Promise<void> {
    try {
      for (;;) {
        const lost = await this.runs.takeOver(this.instanceId, this.config.RUN_LEASE_SECONDS, {
          held: this.queue.runs,
          atOnce,
          limit: BATCH,
        });
        for (const run of lost) await this.endLost(run);
        // With `atOnce` a run that could not be ended would be taken again and again.
        if (lost.length < BATCH) return;
      }
    } catch (error) {
      this.logger.warn(`Lost runs could not be looked for: ${String(error)}`);
    }
  }

  private async endLost(run: Run): Promise<void> {
    const interrupted = new StewardError('DEPENDENCY_UNAVAILABLE', text('interrupted', run.locale));
    const ending = run.cancelRequested
      ? cancelled(run.threadId, null)
      : endingOf(interrupted, run.threadId, null, run.locale);
    try {
      await this.closer.closeFromLog(run, ending);
      this.logger.log(`Run ${run.id} of a dead process was ended.`);
    } catch (error) {
      if (error instanceof RunLostError) return;
      this.logger.error(`Run ${run.id} of a dead process could not be ended: ${String(error)}`);
    }
  }
}
