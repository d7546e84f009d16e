import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IssuerKeysModule } from '../auth/issuer-keys.module.js';
import { ArgumentsHash } from './arguments-hash.js';
import { AuditTrail } from './audit-trail.js';
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
  providers: [ArgumentsHash, AuditTrail],
  exports: [ArgumentsHash, AuditTrail],
})
export class AuditModule {}
