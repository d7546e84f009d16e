import { Module } from '@nestjs/common';
import { EventLog } from './event-log.js';
import { EventRepository } from './event-repository.js';
import { EventSignals, POLL_INTERVALS, type PollIntervals } from './event-signals.js';
import { RecentEvents } from './recent-events.js';

const INTERVALS: PollIntervals = { disconnected: 500, connected: 30_000 };

/** The event log (PROTOCOL §12). */
@Module({
  providers: [
    EventRepository,
    RecentEvents,
    EventSignals,
    EventLog,
    { provide: POLL_INTERVALS, useValue: INTERVALS },
  ],
  exports: [EventLog],
})
export class EventsModule {}
