import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentPrincipal } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { ApprovalRuleService } from './approval-rule.service.js';
import { ApprovalRulesQuery, ApprovalRulesResponse } from './dto/approval-rules.dto.js';

const PAGE = 20;

/** What the caller has allowed once and for all. */
@ApiTags('agent')
@ApiBearerAuth()
@Controller('agent/approval-rules')
export class ApprovalRulesController {
  constructor(private readonly rules: ApprovalRuleService) {}

  @Get()
  @ApiOperation({ summary: 'List the own standing approvals, newest first' })
  @ApiOkResponse({ type: ApprovalRulesResponse })
  async list(
    @Query() { limit, cursor }: ApprovalRulesQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ApprovalRulesResponse> {
    const page = await this.rules.list(principal.userId, { limit: limit ?? PAGE, cursor });
    return {
      rules: page.rules.map(({ id, profile, capabilityId, rule, interruptId, createdAt }) => {
        const [module = '', method = ''] = capabilityId.split('.');
        const at = createdAt.toISOString();
        return { id, profile, module, method, rule, interruptId, createdAt: at };
      }),
      nextCursor: page.nextCursor,
    };
  }

  @Delete(':ruleId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Take a standing approval back; the next call asks again' })
  @ApiNoContentResponse()
  async remove(
    @Param('ruleId') ruleId: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    await this.rules.remove(principal.userId, ruleId);
  }
}
