import { Body, Controller, Get, Headers, Inject, Param, Put, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, RequireRole } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { etagOf, versionOfIfMatch } from '../common/if-match.js';
import { SKILL_CATALOG, type SkillCatalog } from '../tool-router/skill-catalog.js';
import { PutSkillsRequest, UserSkillsDto } from './dto/skills.dto.js';
import { SkillAdmin, type SkillRule } from './skill-admin.service.js';

/** Which skills the models of one user see; for admins. */
@ApiTags('admin')
@ApiBearerAuth()
@RequireRole('admin')
@Controller('admin/users/:id/skills')
export class UserSkillsController {
  constructor(
    private readonly admin: SkillAdmin,
    @Inject(SKILL_CATALOG) private readonly catalog: SkillCatalog,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Skills that the models of a user see; the version is the ETag.' })
  @ApiOkResponse({ type: UserSkillsDto })
  async get(
    @Param('id') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserSkillsDto> {
    return this.answer(response, id, await this.admin.userRule(id));
  }

  @Put()
  @ApiOperation({ summary: 'Narrows them further than the deployment does; null takes it back.' })
  @ApiHeader({ name: 'If-Match', required: true, description: 'ETag of the rule that you saw.' })
  @ApiOkResponse({ type: UserSkillsDto })
  async put(
    @Param('id') id: string,
    @Body() { enabled }: PutSkillsRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentPrincipal() { userId }: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserSkillsDto> {
    const seen = versionOfIfMatch(ifMatch);
    return this.answer(response, id, await this.admin.setUserRule(id, enabled, seen, userId));
  }

  private answer(response: Response, userId: string, rule: SkillRule): UserSkillsDto {
    response.setHeader('ETag', etagOf(rule.version));
    const effective = this.catalog.list({ userId, enabledSkills: null }).map(({ name }) => name);
    return { userId, version: rule.version, enabled: rule.enabled, effective };
  }
}
