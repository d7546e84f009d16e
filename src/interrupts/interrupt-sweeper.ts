import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { InterruptRepository } from './interrupt.repository.js';

const PAUSE_MS = 60_000;
const BATCH = 500;
/** How long calls outside of runs are kept after their end, for whoever looks into what happened. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Notes that the time of interrupts is over, and clears away those that no thread takes with it.
 * Nothing waits for it: whoever reads an interrupt looks at the clock. Replicas share the work row by
 * row.
 */
@Injectable()
export class InterruptSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(InterruptSweeper.name);
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly interrupts: InterruptRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.sweeping = this.sweeping.then(() => this.sweep());
    }, PAUSE_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearInterval(this.timer);
    await this.sweeping;
  }

  /** One sweep, in bounded batches. Never rejects. */
  async sweep(): Promise<void> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - KEPT_MS);
    try {
      await this.inBatches(() => this.interrupts.expire(now, BATCH));
      await this.inBatches(() => this.interrupts.deleteSessionsBefore(before, BATCH));
    } catch (error) {
      this.logger.warn(`A sweep of the interrupts ended early: ${String(error)}`);
    }
  }

  private async inBatches(batch: () => Promise<number>): Promise<void> {
    for (let count = BATCH; count === BATCH && !this.stopped;) count = await batch();
  }
}
