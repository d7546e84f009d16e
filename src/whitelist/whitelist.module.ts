import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WhitelistVersionEntity } from './entities/whitelist-version.entity.js';
import { WhitelistRepository } from './whitelist.repository.js';
import { WhitelistService } from './whitelist.service.js';

/** The runtime whitelist: policy and decision; the router asks it. */
@Module({
  imports: [TypeOrmModule.forFeature([WhitelistVersionEntity])],
  providers: [WhitelistRepository, WhitelistService],
  exports: [WhitelistRepository, WhitelistService],
})
export class WhitelistModule {}
