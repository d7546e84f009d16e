import { Body, Controller, Delete, Header, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentPrincipal } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { StewardError } from '../common/steward-error.js';
import { isThreadGone } from '../threads/thread-gone.js';
import { ThreadService } from '../threads/thread.service.js';
import { WhitelistService } from '../whitelist/whitelist.service.js';
import { CredentialService } from './credential.service.js';
import { CredentialResponse } from './dto/credential.response.js';
import { ExchangeCredentialRequest } from './dto/exchange.request.js';

const JTI = /^cred_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Controlled credentials for agents outside this process (PROTOCOL §11, §13). */
@ApiTags('credentials')
@ApiBearerAuth()
@Controller('credentials')
export class CredentialController {
  constructor(
    private readonly credentials: CredentialService,
    private readonly threads: ThreadService,
    private readonly whitelist: WhitelistService,
  ) {}

  @Post()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Exchange the bearer token for a controlled credential' })
  @ApiCreatedResponse({ type: CredentialResponse })
  async exchange(
    @CurrentPrincipal() principal: Principal,
    @Body() body: ExchangeCredentialRequest,
  ): Promise<CredentialResponse> {
    const { scope, profile, threadId } = body;
    if (profile !== undefined && !this.whitelist.hasProfile(profile)) {
      throw new StewardError('INVALID_ACTION_INPUT', 'The credential cannot be issued.', {
        issues: [{ path: 'profile', message: 'is not a profile of the whitelist' }],
      });
    }
    // The claim names a thread in every record of a call: it must be this user's.
    if (threadId !== undefined) await this.threads.claim(threadId, principal.userId);
    try {
      return CredentialResponse.of(
        await this.credentials.exchange(principal, { scope, profile, threadId }),
      );
    } catch (error) {
      if (isThreadGone(error)) throw new StewardError('NOT_FOUND', 'The thread was deleted.');
      throw error;
    }
  }

  @Delete(':jti')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke a controlled credential; idempotent' })
  @ApiNoContentResponse()
  async revoke(@CurrentPrincipal() principal: Principal, @Param('jti') jti: string): Promise<void> {
    if (!JTI.test(jti)) throw new StewardError('NOT_FOUND', 'There is no such credential.');
    await this.credentials.revokeAs(principal, jti);
  }
}
