import { Body, Controller, Delete, Get, Headers, Param, Patch, Query, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, RequireRole } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { etagOf, versionOfIfMatch } from '../common/if-match.js';
import { capabilityView } from './capability-view.js';
import { CapabilityAdmin, type AdministeredCapability } from './capability-admin.service.js';
import {
  CapabilitiesDto,
  CapabilitiesQuery,
  CapabilityDto,
  ChangeCapabilityRequest,
} from './dto/capabilities.dto.js';

const PAGE = 50;
const IF_MATCH = {
  name: 'If-Match',
  required: true,
  description: 'ETag of the settings that you saw; "0" where there were none.',
};

/** What may be called at all, how often, and with whose approval; for admins (PROTOCOL §15). */
@ApiTags('admin')
@ApiBearerAuth()
@RequireRole('admin')
@Controller('admin/capabilities')
export class CapabilitiesController {
  constructor(private readonly capabilities: CapabilityAdmin) {}

  @Get()
  @ApiOperation({ summary: 'Every capability with its settings, by id.' })
  @ApiOkResponse({ type: CapabilitiesDto })
  async list(@Query() { limit = PAGE, cursor }: CapabilitiesQuery): Promise<CapabilitiesDto> {
    const { items, nextCursor } = await this.capabilities.page(limit, cursor);
    return { capabilities: items.map(capabilityView), nextCursor };
  }

  @Get(':id')
  @ApiOperation({ summary: 'One capability; the version of its settings is the ETag.' })
  @ApiOkResponse({ type: CapabilityDto })
  async get(
    @Param('id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CapabilityDto> {
    return answer(response, await this.capabilities.find(id));
  }

  /** In force for the next call, on every replica. A stale `If-Match` is a CONFLICT (409). */
  @Patch(':id')
  @ApiOperation({ summary: 'Enable or disable, limit, ask for approval; null is the default.' })
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: CapabilityDto })
  async change(
    @Param('id') id: string,
    @Body() body: ChangeCapabilityRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentPrincipal() { userId }: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CapabilityDto> {
    const seen = versionOfIfMatch(ifMatch);
    return answer(response, await this.capabilities.change(id, body, seen, userId));
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Back to what the code says.' })
  @ApiHeader(IF_MATCH)
  @ApiOkResponse({ type: CapabilityDto })
  async reset(
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentPrincipal() { userId }: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CapabilityDto> {
    const seen = versionOfIfMatch(ifMatch);
    return answer(response, await this.capabilities.reset(id, seen, userId));
  }
}

function answer(response: Response, capability: AdministeredCapability): CapabilityDto {
  const view = capabilityView(capability);
  response.setHeader('ETag', etagOf(view.version));
  return view;
}
