import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IssuerKeysModule } from '../auth/issuer-keys.module.js';
import { ArgumentsHash } from './arguments-hash.js';
import { AuditKeys } from './audit-keys.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditRetention } from './audit-retention.js';
import { AuditSealer } from './audit-sealer.js';
import { AuditTrail } from './audit-trail.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';
import { AuditEntryEntity } from './entities/audit-entry.entity.js';
import { AuditInboxEntity } from './entities/audit-inbox.entity.js';
import { AuditSealEntity } from './entities/audit-seal.entity.js';

/** The audit; global, because whatever acts records it. */
@Global()
@Module({
  imports: [
    IssuerKeysModule,
    TypeOrmModule.forFeature([AuditInboxEntity, AuditEntryEntity, AuditSealEntity]),
  ],
  controllers: [AuditController],
  providers: [
    ArgumentsHash,
    AuditKeys,
    AuditLogRepository,
    AuditRetention,
    AuditSealer,
    AuditService,
    AuditTrail,
  ],
  exports: [ArgumentsHash, AuditTrail],
})
export class AuditModule {}
