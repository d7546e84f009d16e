import { Module } from '@nestjs/common';
import { RecordStorageModule } from '../tool-output/storage/record-storage.module.js';
import { EventLog } from './event-log.js';
import { EventRepository } from './event-repository.js';
import { EventResolver } from './event-resolver.js';
import { EventSignals, POLL_INTERVALS, type PollIntervals } from './event-signals.js';
import { RecentEvents } from './recent-events.js';

const INTERVALS: PollIntervals = { disconnected: 500, connected: 30_000 };

/** The event log (PROTOCOL §12). */
@Module({
  imports: [RecordStorageModule],
  providers: [
    EventRepository,
    RecentEvents,
    EventResolver,
    EventSignals,
    EventLog,
    { provide: POLL_INTERVALS, useValue: INTERVALS },
  ],
  exports: [EventLog],
})
export class EventsModule {}
