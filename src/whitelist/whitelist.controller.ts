import { Body, Controller, Get, Headers, Put, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, RequireRole } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { StewardError } from '../common/steward-error.js';
import { ReplaceWhitelistDto, WhitelistDto } from './dto/whitelist.dto.js';
import { WhitelistService, type WhitelistState } from './whitelist.service.js';

/** The runtime whitelist, for admins (PROTOCOL §14). */
@ApiTags('admin')
@ApiBearerAuth()
@RequireRole('admin')
@Controller('admin/whitelist')
export class WhitelistController {
  constructor(private readonly whitelist: WhitelistService) {}

  @Get()
  @ApiOperation({ summary: 'The whitelist in force; its version is the ETag.' })
  @ApiOkResponse({ type: WhitelistDto })
  async get(@Res({ passthrough: true }) response: Response): Promise<WhitelistDto> {
    return answer(response, await this.whitelist.current());
  }

  /** A missing, malformed or stale `If-Match` is a CONFLICT (409): nobody overwrites unseen. */
  @Put()
  @ApiOperation({ summary: 'Puts a new version in force, for the next call of every run.' })
  @ApiHeader({ name: 'If-Match', required: true, description: 'ETag of the version you saw.' })
  @ApiOkResponse({ type: WhitelistDto })
  async replace(
    @Body() body: ReplaceWhitelistDto,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WhitelistDto> {
    const seen = /^"(\d{1,9})"$/.exec(ifMatch?.trim() ?? '')?.[1];
    if (seen === undefined) {
      const message = 'If-Match must name the version that you saw, such as "7".';
      throw new StewardError('CONFLICT', message);
    }
    const { version, ...document } = body;
    if (version !== undefined && version !== Number(seen)) {
      throw new StewardError('CONFLICT', 'version and If-Match name different versions.');
    }
    return answer(response, await this.whitelist.replace(document, Number(seen), principal.userId));
  }
}

function answer(response: Response, { version, document }: WhitelistState): WhitelistDto {
  response.setHeader('ETag', `"${version}"`);
  return { version, ...document };
}
