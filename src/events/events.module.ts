import { Module } from '@nestjs/common';
import { DerivedKeys } from '../auth/derived-keys.js';
import { IssuerKeysModule } from '../auth/issuer-keys.module.js';
import { Clock } from '../common/clock.js';
import { RecordStorageModule } from '../tool-output/storage/record-storage.module.js';
import { REDIS_CLIENTS, type RedisClients } from '../redis/redis-clients.js';
import { RedisModule } from '../redis/redis.module.js';
import { RedisStream } from '../redis/redis-stream.js';
import { AnnouncementSeal } from './announcement-seal.js';
import { EVENT_BROADCAST, EventBroadcast } from './event-broadcast.js';
import { EventLog } from './event-log.js';
import { EventRepository } from './event-repository.js';
import { EventResolver } from './event-resolver.js';
import { EventSignals, POLL_INTERVALS, type PollIntervals } from './event-signals.js';
import { RecentEvents } from './recent-events.js';

const INTERVALS: PollIntervals = { disconnected: 500, connected: 2_000 };

/** The event log (PROTOCOL §12). */
@Module({
  imports: [IssuerKeysModule, RecordStorageModule, RedisModule],
  providers: [
    EventRepository,
    RecentEvents,
    EventResolver,
    EventSignals,
    EventLog,
    {
      provide: EVENT_BROADCAST,
      inject: [REDIS_CLIENTS, DerivedKeys, Clock],
      useFactory: (clients: RedisClients | null, keys: DerivedKeys, clock: Clock) =>
        clients &&
        new EventBroadcast({
          stream: new RedisStream(clients, 'events'),
          seal: new AnnouncementSeal(keys, clients.prefix),
          clock,
        }),
    },
    { provide: POLL_INTERVALS, useValue: INTERVALS },
  ],
  exports: [EventLog],
})
export class EventsModule {}
