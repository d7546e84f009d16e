import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MessageEntity } from './entities/message.entity.js';
import { ThreadEntity } from './entities/thread.entity.js';
import { MessageStore } from './message.store.js';
import { ThreadRepository } from './thread.repository.js';
import { ThreadService } from './thread.service.js';

/** Conversations and their messages. */
@Module({
  imports: [TypeOrmModule.forFeature([ThreadEntity, MessageEntity])],
  providers: [ThreadRepository, ThreadService, MessageStore],
  exports: [ThreadService, MessageStore],
})
export class ThreadsModule {}
