import { Module } from '@nestjs/common';
import { InterruptsModule } from '../interrupts/interrupts.module.js';
import { ThreadsModule } from '../threads/threads.module.js';
import { RecordStorageModule } from '../tool-output/storage/record-storage.module.js';
import { HistoryController } from './history.controller.js';
import { HistoryService } from './history.service.js';

/** Replays what was said and done; writes nothing. */
@Module({
  imports: [InterruptsModule, ThreadsModule, RecordStorageModule],
  controllers: [HistoryController],
  providers: [HistoryService],
})
export class HistoryModule {}
