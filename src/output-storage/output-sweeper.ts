import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';
import { ObjectDeletions } from './object-deletions.js';
import { FIRST_OUTPUT, OutputRowRepository, type OutputCursor } from './output-row.repository.js';
import { RecordMover } from './record-mover.js';
import { SweepLock } from './sweep-lock.js';

/** Records that one sweep moves at most, and rows that it reads at once: each may hold a MiB. */
const SWEEP_MAX = 200;
const PAGE = 10;
/** Failures in a row after which the store counts as away. */
const GIVE_UP_AFTER = 3;
/** Longest pause between sweeps, as a multiple of the configured one. */
const MAX_SLOWDOWN = 16;

/** What a sweep did. */
export interface SweepReport {
  moved: number;
  deleted: number;
  /** True when the store did not do what it was asked. */
  failed: boolean;
}

/**
 * Brings the object store up with the database, again and again: records that could not be stored
 * are moved, objects of deleted rows deleted (PROTOCOL §9). While the store is away the pauses grow.
 */
@Injectable()
export class OutputSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OutputSweeper.name);
  /** The next sweep goes on behind what the last one tried, so that no row holds up the others. */
  private cursor: OutputCursor = FIRST_OUTPUT;
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<SweepReport> | null = null;
  private slowdown = 1;
  private stopped = false;

  constructor(
    @Inject(APP_CONFIG)
    private readonly config: Pick<AppConfig, 'TOOL_OUTPUT_STORAGE' | 'TOOL_OUTPUT_SWEEP_SECONDS'>,
    private readonly lock: SweepLock,
    private readonly rows: OutputRowRepository,
    private readonly mover: RecordMover,
    private readonly deletions: ObjectDeletions,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.sweeping;
  }

  /** Starts a sweep that nobody waits for, after one that is under way: rows were deleted just now. */
  soon(): void {
    void this.sweepAfterwards();
  }

  private async sweepAfterwards(): Promise<void> {
    await this.sweeping;
    if (!this.stopped) await this.sweep();
  }

  /** One sweep; a call during one joins it. Never rejects. */
  sweep(): Promise<SweepReport> {
    this.sweeping ??= this.run().finally(() => {
      this.sweeping = null;
    });
    return this.sweeping;
  }

  private schedule(): void {
    if (this.stopped) return;
    const pause = this.config.TOOL_OUTPUT_SWEEP_SECONDS * 1000 * this.slowdown;
    this.timer = setTimeout(() => void this.sweepOnTime(), pause);
    this.timer.unref();
  }

  private async sweepOnTime(): Promise<void> {
    const { failed } = await this.sweep();
    this.slowdown = failed ? Math.min(this.slowdown * 2, MAX_SLOWDOWN) : 1;
    this.schedule();
  }

  private async run(): Promise<SweepReport> {
    const report: SweepReport = { moved: 0, deleted: 0, failed: false };
    try {
      await this.lock.attempt(async () => {
        await this.move(report);
        await this.delete(report);
      });
    } catch (error) {
      report.failed = true;
      this.logger.warn(`A sweep of the object store ended early: ${String(error)}`);
    }
    return report;
  }

  private async move(report: SweepReport): Promise<void> {
    // Whoever wants no object store keeps these records where they are, which is readable.
    if (this.config.TOOL_OUTPUT_STORAGE === 'never') return;
    let failures = 0;
    for (let tried = 0; tried < SWEEP_MAX && !this.stopped;) {
      const page = await this.rows.page('write_failed', this.cursor, PAGE);
      for (const row of page) {
        if (this.stopped || failures === GIVE_UP_AFTER) return;
        this.cursor = row;
        tried += 1;
        try {
          await this.mover.move(row);
          report.moved += 1;
          failures = 0;
        } catch (error) {
          failures += 1;
          report.failed = true;
          this.logger.warn(`The record of message ${row.id} was not moved: ${String(error)}`);
        }
      }
      if (page.length < PAGE) {
        this.cursor = FIRST_OUTPUT;
        return;
      }
    }
  }

  private async delete(report: SweepReport): Promise<void> {
    for (let settled = 1; settled > 0 && !this.stopped;) {
      settled = await this.deletions.collect();
      report.deleted += settled;
    }
  }
}
