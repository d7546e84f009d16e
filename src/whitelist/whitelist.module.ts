import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WhitelistVersionEntity } from './entities/whitelist-version.entity.js';
import { WhitelistController } from './whitelist.controller.js';
import { WhitelistRepository } from './whitelist.repository.js';
import { WhitelistService } from './whitelist.service.js';

/** The runtime whitelist: policy, decision, admin routes. */
@Module({
  imports: [TypeOrmModule.forFeature([WhitelistVersionEntity])],
  controllers: [WhitelistController],
  providers: [WhitelistRepository, WhitelistService],
  exports: [WhitelistService],
})
export class WhitelistModule {}
