import { Module } from '@nestjs/common';
import { MessageRecords } from './message-records.js';
import { RecordReader } from './record-reader.js';

/** Reading records from whichever tier they are in. */
@Module({
  providers: [RecordReader, MessageRecords],
  exports: [RecordReader, MessageRecords],
})
export class RecordStorageModule {}
