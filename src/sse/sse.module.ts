import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EventsModule } from '../events/events.module.js';
import { ThreadsModule } from '../threads/threads.module.js';
import { EventFrames } from './event-frames.js';
import { EventsController } from './events.controller.js';
import { SseStreamer } from './sse-streamer.js';
import { TicketsController } from './tickets.controller.js';

/** Streams the event log over HTTP; owns no state and writes nothing. */
@Module({
  imports: [AuthModule, EventsModule, ThreadsModule],
  controllers: [EventsController, TicketsController],
  providers: [EventFrames, SseStreamer],
  exports: [SseStreamer],
})
export class SseModule {}
