import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { OutputSweeper } from '../../output-storage/output-sweeper.js';
import { AttachmentRepository } from './attachment.repository.js';

/** Hours after which a file that was never sent goes. */
export const UNUSED_HOURS = 24;
const PAUSE_MS = 15 * 60 * 1000;

/** Deletes files that were uploaded and never sent; their objects go with the sweeper of outputs. */
@Injectable()
export class AttachmentSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AttachmentSweeper.name);
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<number> | null = null;

  constructor(
    private readonly rows: AttachmentRepository,
    private readonly outputs: OutputSweeper,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), PAUSE_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.sweeping;
  }

  /** Deletes what is due. @returns how many files. Never rejects. */
  sweep(): Promise<number> {
    this.sweeping ??= this.run().finally(() => {
      this.sweeping = null;
    });
    return this.sweeping;
  }

  private async run(): Promise<number> {
    try {
      const before = new Date(this.clock.now().getTime() - UNUSED_HOURS * 3_600_000);
      const deleted = await this.rows.deleteUnused(before);
      if (deleted > 0) this.outputs.soon();
      return deleted;
    } catch (error) {
      this.logger.warn(`Unused attachments were not deleted: ${String(error)}`);
      return 0;
    }
  }
}
