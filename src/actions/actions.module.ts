import { Module } from '@nestjs/common';
import { CredentialModule } from '../credential/credential.module.js';
import { ActionController } from './action.controller.js';
import { ActionService } from './action.service.js';

/** Buttons of cards. */
@Module({
  imports: [CredentialModule],
  controllers: [ActionController],
  providers: [ActionService],
})
export class ActionsModule {}
