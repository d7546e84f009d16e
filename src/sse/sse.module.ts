import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { ThreadsModule } from '../threads/threads.module.js';
import { EventFrames } from './event-frames.js';
import { EventsController } from './events.controller.js';
import { SseStreamer } from './sse-streamer.js';

/** Streams the event log over HTTP; owns no state and writes nothing. */
@Module({
  imports: [EventsModule, ThreadsModule],
  controllers: [EventsController],
  providers: [EventFrames, SseStreamer],
  exports: [SseStreamer],
})
export class SseModule {}
