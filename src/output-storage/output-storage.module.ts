import { Module } from '@nestjs/common';
import { RecordStorageModule } from '../tool-output/storage/record-storage.module.js';
import { ObjectDeletions } from './object-deletions.js';
import { OutputRowRepository } from './output-row.repository.js';
import { OutputSweeper } from './output-sweeper.js';
import { RecordMover } from './record-mover.js';
import { RecordPlacer } from './record-placer.js';
import { SweepLock } from './sweep-lock.js';

/** Where the records of tool calls lie: written here, moved here, deleted here (PROTOCOL §9). */
@Module({
  imports: [RecordStorageModule],
  providers: [
    ObjectDeletions,
    OutputRowRepository,
    OutputSweeper,
    RecordMover,
    RecordPlacer,
    SweepLock,
  ],
  exports: [ObjectDeletions, OutputSweeper, RecordPlacer],
})
export class OutputStorageModule {}
