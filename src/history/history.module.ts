import { Module } from '@nestjs/common';
import { ThreadsModule } from '../threads/threads.module.js';
import { RecordStorageModule } from '../tool-output/storage/record-storage.module.js';
import { HistoryController } from './history.controller.js';
import { HistoryService } from './history.service.js';

/** Replays what was said and done; writes nothing. */
@Module({
  imports: [ThreadsModule, RecordStorageModule],
  controllers: [HistoryController],
  providers: [HistoryService],
})
export class HistoryModule {}
