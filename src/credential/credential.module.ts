import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { ThreadsModule } from '../threads/threads.module.js';
import { WhitelistModule } from '../whitelist/whitelist.module.js';
import { CredentialController } from './credential.controller.js';
import { CredentialRepository } from './credential.repository.js';
import { CredentialService } from './credential.service.js';
import { CredentialEntity } from './entities/credential.entity.js';
import { Revocations } from './revocations.js';
import { RunCredentials } from './run-credentials.js';

/** Exchange, verification and revocation of controlled credentials (PROTOCOL §13). */
@Module({
  imports: [
    TypeOrmModule.forFeature([CredentialEntity]),
    AuthModule,
    ThreadsModule,
    WhitelistModule,
  ],
  controllers: [CredentialController],
  providers: [CredentialRepository, CredentialService, Revocations, RunCredentials],
  exports: [CredentialService, RunCredentials],
})
export class CredentialModule {}
