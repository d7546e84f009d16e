import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Clock } from '../../../common/clock.js';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { Notifications } from '../../../database/notifications.js';
import { inLogContext } from '../../../logging/log-context.js';
import { CANCEL_CHANNEL, readCancelPayload } from './cancel-channel.js';
import { ClaimGate } from './claim-gate.js';
import { RunDispatcher } from './run-dispatcher.js';
import { unanswered } from '../execution/run-ending.js';
import { RunLeaseRepository } from './run-lease.repository.js';
import { INSTANCE_ID, RunLeases, cancelledByUser } from './run-leases.js';
import { RunWakeups } from './run-wakeups.js';
import { RunRepository } from '../run.repository.js';
import type { Run } from '../run.js';
import { WaitingRuns } from '../waiting/waiting-runs.js';

/** Runs that are ended in one go. */
const BATCH = 50;
/** Between two looks for runs that wait, in ms: how late a run is whose wake-up was lost. */
const LOOK_EVERY_MS = 2_000;

/**
 * What goes on beside the runs: leases are renewed, cancels and wake-ups of other processes heard,
 * runs of dead processes claimed and runs that nobody answers ended, and at the end of the process its
 * own runs ended or handed over.
 */
@Injectable()
export class RunSupervisor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RunSupervisor.name);
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly subscriptions: (() => void)[] = [];
  private sweeping: Promise<void> | null = null;

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(INSTANCE_ID) private readonly instanceId: string,
    private readonly dispatcher: RunDispatcher,
    private readonly runs: RunRepository,
    private readonly leases: RunLeases,
    private readonly leaseRows: RunLeaseRepository,
    private readonly waiting: WaitingRuns,
    private readonly wakeups: RunWakeups,
    private readonly gate: ClaimGate,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    // Calls of runs come back over HTTP, so none is taken up before the server listens.
    const listening = this.host.listen$.subscribe(() => this.begin());
    this.subscriptions.push(
      () => listening.unsubscribe(),
      this.notifications.subscribe(CANCEL_CHANNEL, (payload) => {
        const run = readCancelPayload(payload);
        if (run) this.dispatcher.abort(run, cancelledByUser());
      }),
      this.notifications.onReconnect(() => void this.leases.renewAnew()),
    );
    this.timers.push(setInterval(() => void this.leases.renew(), this.leases.intervalMs));
  }

  /** Before the streams and the event log stop: clients still see how their runs end, or go on elsewhere. */
  async onModuleDestroy(): Promise<void> {
    await this.dispatcher.stop(this.config.SHUTDOWN_GRACE_MS);
    for (const timer of this.timers) clearInterval(timer);
    for (const unsubscribe of this.subscriptions) unsubscribe();
    await this.sweeping;
  }

  /**
   * Claims runs that wait or whose process is gone, and ends those that nobody answers in time. Never
   * rejects; sweeps do not overlap.
   * @param alone no other process executes runs: what is active elsewhere is claimed now.
   * @returns once they are claimed; they are executed beside it.
   */
  sweep(alone: boolean): Promise<void> {
    this.sweeping ??= this.claim(alone)
      .then(() => this.endUnanswered())
      .finally(() => {
        this.sweeping = null;
      });
    return this.sweeping;
  }

  private begin(): void {
    this.subscriptions.push(
      this.wakeups.onWake(this.dispatcher),
      this.gate.onChange((claims) => {
        this.wakeups.setClaims(claims);
        if (claims) this.dispatcher.wake();
      }),
    );
    this.timers.push(setInterval(() => void this.sweep(false), this.leases.intervalMs));
    this.timers.push(setInterval(() => void this.dispatcher.look(), LOOK_EVERY_MS));
    // The embedded database has one server: whatever is active in it was left by a dead process.
    void this.sweep(this.config.DATABASE_URL === undefined);
  }

  private async claim(alone: boolean): Promise<void> {
    try {
      if (alone) await this.leaseRows.endOtherLeases(this.instanceId);
    } catch (error) {
      this.logger.warn(`Runs of dead processes could not be looked for: ${String(error)}`);
    }
    await this.dispatcher.look();
    await this.endOverdue();
  }

  /** Also where no process is left that executes runs, a run that was accepted comes to its end. */
  private async endOverdue(): Promise<void> {
    try {
      for (const run of await this.leaseRows.findOverdue(this.clock.now(), BATCH)) {
        await this.dispatcher.endUnheld(run);
      }
    } catch (error) {
      this.logger.warn(`Runs whose credential has ended could not be ended: ${String(error)}`);
    }
  }

  /** Each sweep takes some; one that cannot be ended does not hold up the others. */
  private async endUnanswered(): Promise<void> {
    try {
      for (const run of await this.runs.findUnanswered(this.clock.now(), BATCH)) {
        await inLogContext({ runId: run.id, threadId: run.threadId }, () =>
          this.endUnansweredOne(run),
        );
      }
    } catch (error) {
      this.logger.warn(`Runs that nobody answers could not be looked for: ${String(error)}`);
    }
  }

  private async endUnansweredOne(run: Run): Promise<void> {
    try {
      await this.waiting.end(run, unanswered(run));
    } catch (error) {
      this.logger.warn(`Run ${run.id}, which waits, could not be ended: ${String(error)}`);
    }
  }
}
