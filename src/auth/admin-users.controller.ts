import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { StewardError } from '../common/steward-error.js';
import { CurrentPrincipal, RequireRole } from './decorators.js';
import {
  AdministerUserRequest,
  AdminUserResponse,
  AdminUsersQuery,
  AdminUsersResponse,
} from './dto/admin-users.dto.js';
import type { Principal } from './principal.js';
import { UserService } from './user.service.js';

const PAGE = 50;

/** Accounts, for admins. */
@ApiTags('admin')
@ApiBearerAuth()
@RequireRole('admin')
@Controller('admin/users')
export class AdminUsersController {
  constructor(private readonly users: UserService) {}

  @Get()
  @ApiOperation({ summary: 'List accounts, newest first' })
  @ApiOkResponse({ type: AdminUsersResponse })
  async list(@Query() { q, cursor, limit = PAGE }: AdminUsersQuery): Promise<AdminUsersResponse> {
    const rows = await this.users.search({ prefix: q, after: cursor, limit: limit + 1 });
    const page = rows.slice(0, limit);
    return {
      users: page.map((account) => AdminUserResponse.ofAccount(account)),
      nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }

  @Get(':userId')
  @ApiOperation({ summary: 'An account' })
  @ApiOkResponse({ type: AdminUserResponse })
  async find(@Param('userId') userId: string): Promise<AdminUserResponse> {
    const account = await this.users.findById(userId);
    if (!account) throw new StewardError('NOT_FOUND', 'There is no such account.');
    return AdminUserResponse.ofAccount(account);
  }

  /** Disabling ends the sessions, credentials and runs of the account; enabling gives none back. */
  @Patch(':userId')
  @ApiOperation({ summary: 'Disable or enable an account, change its role or name' })
  @ApiOkResponse({ type: AdminUserResponse })
  async change(
    @Param('userId') userId: string,
    @Body() body: AdministerUserRequest,
    @CurrentPrincipal() admin: Principal,
  ): Promise<AdminUserResponse> {
    return AdminUserResponse.ofAccount(await this.users.administer(userId, body, admin.userId));
  }
}
