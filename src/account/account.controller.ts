import { Body, Controller, Delete, HttpCode, Ip } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { SignInLimiter } from '../auth/sign-in-limiter.js';
import { AccountDeletion } from './account-deletion.js';
import { DeleteAccountRequest } from './delete-account.request.js';

/** The end of an account; apart from `auth/`, because it ends what stands on accounts as well. */
@ApiTags('auth')
@ApiBearerAuth()
@Controller('auth')
export class AccountController {
  constructor(
    private readonly deletion: AccountDeletion,
    private readonly limiter: SignInLimiter,
  ) {}

  /** Threads, calendar, contacts, memories, files and tokens go with it. */
  @Delete('me')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete the own account with everything in it',
    description:
      'Active runs are cancelled first; 409 `RUN_ACTIVE` when one has not ended after five seconds, and `CONFLICT` for the last admin. Nothing is deleted then.',
  })
  @ApiNoContentResponse()
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Body() { password }: DeleteAccountRequest,
    @Ip() address: string,
  ): Promise<void> {
    this.limiter.attempt(address, principal.email);
    await this.deletion.delete(principal, password);
  }
}
