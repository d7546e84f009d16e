import { Body, Controller, Get, Headers, Put, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, RequireRole } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { etagOf, versionOfIfMatch } from '../common/if-match.js';
import { PutSkillsRequest, SkillsDto } from './dto/skills.dto.js';
import { SkillAdmin, type SkillRule } from './skill-admin.service.js';
import { SkillRules } from './skill-rules.js';
import { SkillService } from './skill.service.js';

/** Which skills models see at all; for admins. It changes no permission. */
@ApiTags('admin')
@ApiBearerAuth()
@RequireRole('admin')
@Controller('admin/skills')
export class SkillsController {
  constructor(
    private readonly admin: SkillAdmin,
    private readonly skills: SkillService,
    private readonly rules: SkillRules,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Every skill, and which of them models see; the version is the ETag.' })
  @ApiOkResponse({ type: SkillsDto })
  async get(@Res({ passthrough: true }) response: Response): Promise<SkillsDto> {
    return this.answer(response, await this.admin.deploymentRule());
  }

  /** ENABLED_SKILLS is the upper bound: the list narrows it, for the next call and the next run. */
  @Put()
  @ApiOperation({ summary: 'Sets which skills models see; null for all that are available.' })
  @ApiHeader({ name: 'If-Match', required: true, description: 'ETag of the list that you saw.' })
  @ApiOkResponse({ type: SkillsDto })
  async put(
    @Body() { enabled }: PutSkillsRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentPrincipal() { userId }: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SkillsDto> {
    const seen = versionOfIfMatch(ifMatch);
    return this.answer(response, await this.admin.setDeploymentRule(enabled, seen, userId));
  }

  private answer(response: Response, { enabled, version }: SkillRule): SkillsDto {
    response.setHeader('ETag', etagOf(version));
    const available = new Set(this.skills.list().map(({ name }) => name));
    const skills = this.skills.all().map(({ name, description }) => ({
      name,
      description,
      available: available.has(name),
      visible: available.has(name) && this.rules.shows(name),
    }));
    return { version, enabled, skills };
  }
}
