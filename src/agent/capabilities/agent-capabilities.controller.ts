import { Controller, Get, Inject } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal } from '../../auth/decorators.js';
import type { Principal } from '../../auth/principal.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { DEFAULT_PROFILE } from '../../credential/exchange-request.js';
import { CapabilityAccess } from '../../tool-router/capability-access.js';
import { projectCliTool } from '../../tool-router/project-cli-tool.js';
import { RUN_SCOPE } from '../run-briefing.js';
import { agentCapabilities } from './agent-capabilities.js';

/** What AG-UI clients can expect of the agent. */
@ApiTags('agent')
@ApiBearerAuth()
@Controller('agent')
export class AgentCapabilitiesController {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly access: CapabilityAccess,
  ) {}

  @Get('capabilities')
  @ApiOperation({ summary: 'What the agent can do, as AG-UI’s AgentCapabilities' })
  @ApiOkResponse({
    description:
      'AgentCapabilities of AG-UI 1.0; the tool is described as the caller’s runs see it.',
    schema: { type: 'object', additionalProperties: true },
  })
  find(@CurrentPrincipal() { userId, roles }: Principal) {
    const subject = { userId, roles, profile: DEFAULT_PROFILE, scope: RUN_SCOPE };
    return agentCapabilities(this.config, projectCliTool(this.access.visibleModules(subject)));
  }
}
