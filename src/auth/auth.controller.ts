import { Body, Controller, Get, Header, HttpCode, Ip, Patch, Post } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { StewardError } from '../common/steward-error.js';
import { CurrentPrincipal, Public } from './decorators.js';
import { RefreshRequest } from './dto/refresh.request.js';
import { RegisterRequest } from './dto/register.request.js';
import { SessionResponse } from './dto/session.response.js';
import { SignInRequest } from './dto/sign-in.request.js';
import { SignOutRequest } from './dto/sign-out.request.js';
import { UpdateMeRequest } from './dto/update-me.request.js';
import { UserResponse } from './dto/user.response.js';
import type { Principal } from './principal.js';
import { SessionService } from './session.service.js';
import { SignInLimiter } from './sign-in-limiter.js';
import { UserService } from './user.service.js';

/** Accounts and bearer tokens of the embedded issuer (PROTOCOL §11). */
@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly sessions: SessionService,
    private readonly users: UserService,
    private readonly limiter: SignInLimiter,
  ) {}

  @Public()
  @Post('register')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Make an account and sign in; the first one is the admin' })
  @ApiCreatedResponse({ type: SessionResponse })
  async register(@Body() body: RegisterRequest, @Ip() address: string): Promise<SessionResponse> {
    this.limiter.attempt(address, body.email);
    return SessionResponse.of(await this.sessions.register(body, address));
  }

  @Public()
  @Post('token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Sign in with email address and password' })
  @ApiOkResponse({ type: SessionResponse })
  async token(@Body() body: SignInRequest, @Ip() address: string): Promise<SessionResponse> {
    this.limiter.attempt(address, body.email);
    return SessionResponse.of(await this.sessions.signIn(body.email, body.password, address));
  }

  @Public()
  @Post('refresh')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Exchange a refresh token for new tokens; each works once' })
  @ApiOkResponse({ type: SessionResponse })
  async refresh(@Body() body: RefreshRequest, @Ip() address: string): Promise<SessionResponse> {
    this.limiter.refresh(address);
    return SessionResponse.of(await this.sessions.refresh(body.refreshToken));
  }

  @Post('sign-out')
  @HttpCode(204)
  @ApiBearerAuth()
  @ApiOperation({
    summary: 'End this session, or all: its tokens, credentials and runs end with it',
  })
  @ApiNoContentResponse()
  async signOut(
    @CurrentPrincipal() principal: Principal,
    @Body() { everywhere = false }: SignOutRequest,
  ): Promise<void> {
    await this.sessions.signOut(principal, everywhere);
  }

  @Get('me')
  @ApiBearerAuth()
  @ApiOperation({ summary: 'The own account' })
  @ApiOkResponse({ type: UserResponse })
  async me(@CurrentPrincipal() principal: Principal): Promise<UserResponse> {
    const account = await this.users.findById(principal.userId);
    if (!account) throw new StewardError('NOT_FOUND', 'There is no such account.');
    return UserResponse.of(account);
  }

  @Patch('me')
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Change display name, time zone or locale of the own account' })
  @ApiOkResponse({ type: UserResponse })
  async updateMe(
    @CurrentPrincipal() principal: Principal,
    @Body() body: UpdateMeRequest,
  ): Promise<UserResponse> {
    return UserResponse.of(await this.users.update(principal.userId, body));
  }
}
