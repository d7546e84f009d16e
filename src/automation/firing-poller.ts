import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { DueFiringsService } from '../modules/scheduler/due-firings.service.js';
import { SchedulerChanges } from '../modules/scheduler/scheduler-changes.js';
import { FiringRunner } from './firing-runner.js';

/** Tasks that are claimed in one transaction. */
const BATCH = 20;
/** Longest and shortest pause between two looks. */
const PAUSE_MAX_MS = 30_000;
const PAUSE_MIN_MS = 250;

/**
 * Looks for times that have come, on every replica: sleeps until the next one that is known, and is
 * woken by changes. A look claims batches until nothing is due.
 */
@Injectable()
export class FiringPoller implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(FiringPoller.name);
  private timer: NodeJS.Timeout | null = null;
  private unsubscribe: (() => void) | null = null;
  private looking: Promise<number> | null = null;
  /** Something changed since the look under way began. */
  private changed = false;
  private stopped = false;

  constructor(
    private readonly due: DueFiringsService,
    private readonly runner: FiringRunner,
    private readonly changes: SchedulerChanges,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = this.changes.subscribe(() => this.wake());
    this.sleep(0);
  }

  /** Before the runs are drained: none is begun any more. */
  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.unsubscribe?.();
    if (this.timer) clearTimeout(this.timer);
    await this.looking;
  }

  /** Carries out what is due; a call during a look joins it. @returns how many. Never rejects. */
  look(): Promise<number> {
    this.looking ??= this.run().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private wake(): void {
    this.changed = true;
    if (!this.looking) this.sleep(0);
  }

  private sleep(ms: number): void {
    if (this.stopped) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.lookAndSleep(), ms);
    this.timer.unref();
  }

  private async lookAndSleep(): Promise<void> {
    await this.look();
    this.sleep(this.changed ? 0 : await this.pause());
  }

  private async run(): Promise<number> {
    let fired = 0;
    this.changed = false;
    try {
      let more = true;
      while (more && !this.stopped) {
        const { claimed, more: isMore } = await this.due.claim(BATCH);
        const left = await this.due.takeUp(BATCH);
        for (const firing of [...claimed, ...left]) await this.runner.fire(firing);
        fired += claimed.length + left.length;
        more = isMore || left.length === BATCH;
      }
    } catch (error) {
      this.logger.warn(`Scheduled tasks could not be looked for: ${String(error)}`);
    }
    return fired;
  }

  private async pause(): Promise<number> {
    try {
      const next = await this.due.nextAt();
      const ahead = next ? next.getTime() - this.clock.now().getTime() : PAUSE_MAX_MS;
      return Math.min(Math.max(ahead, PAUSE_MIN_MS), PAUSE_MAX_MS);
    } catch {
      return PAUSE_MAX_MS;
    }
  }
}
