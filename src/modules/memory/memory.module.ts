import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MemoryFact } from './entities/memory-fact.entity.js';
import { MemoryHistory } from './entities/memory-history.entity.js';
import { MemoryExportService } from './memory-export.service.js';
import { MemoryForgettingService } from './memory-forgetting.service.js';
import { MemoryHistoryRepository } from './memory-history.repository.js';
import { MemoryReadingService } from './memory-reading.service.js';
import { MemoryRecallService } from './memory-recall.service.js';
import { MemoryWriting } from './memory-writing.js';
import { MemoryCommands } from './memory.commands.js';
import { MemoryController } from './memory.controller.js';
import { MemoryRepository } from './memory.repository.js';
import { MemoryService } from './memory.service.js';
import { MemoryPersonalData } from './memory.personal-data.js';

/** The memory. It needs MEMORY_SCREENING, which the composition root binds. */
@Module({
  imports: [TypeOrmModule.forFeature([MemoryFact, MemoryHistory])],
  controllers: [MemoryController],
  providers: [
    MemoryPersonalData,
    MemoryCommands,
    MemoryService,
    MemoryWriting,
    MemoryReadingService,
    MemoryForgettingService,
    MemoryExportService,
    MemoryRecallService,
    MemoryRepository,
    MemoryHistoryRepository,
  ],
  exports: [MemoryRecallService],
})
export class MemoryModule {}
