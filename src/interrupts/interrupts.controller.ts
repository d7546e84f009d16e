import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { Clock } from '../common/clock.js';
import {
  InterruptResponse,
  InterruptsQuery,
  InterruptsResponse,
  ResolveInterruptRequest,
} from './dto/interrupts.dto.js';
import { statusAt, type Interrupt } from './interrupt.js';
import { PersonalInterrupts } from './personal-interrupts.js';

const PAGE = 20;

/** What waits for the caller: approvals and questions of their agents' calls. */
@ApiTags('agent')
@ApiBearerAuth()
@Controller('agent/interrupts')
export class InterruptsController {
  constructor(
    private readonly interrupts: PersonalInterrupts,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the own interrupts, newest first' })
  @ApiOkResponse({ type: InterruptsResponse })
  async list(
    @Query() { limit, cursor, ...filter }: InterruptsQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<InterruptsResponse> {
    const page = await this.interrupts.list(principal.userId, filter, {
      limit: limit ?? PAGE,
      cursor,
    });
    return {
      interrupts: page.interrupts.map((one) => this.view(one)),
      nextCursor: page.nextCursor,
    };
  }

  @Get(':interruptId')
  @ApiOperation({ summary: 'One interrupt' })
  @ApiOkResponse({ type: InterruptResponse })
  async read(
    @Param('interruptId') interruptId: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<InterruptResponse> {
    return this.view(await this.interrupts.read(principal.userId, interruptId));
  }

  /** The agent repeats its call afterwards; an approved one is executed once. */
  @Post(':interruptId/resolve')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Answer an interrupt of a call outside of runs; 409 for those of runs',
  })
  @ApiOkResponse({ type: InterruptResponse })
  async resolve(
    @Param('interruptId') interruptId: string,
    @Body() body: ResolveInterruptRequest,
    @CurrentPrincipal() principal: Principal,
  ): Promise<InterruptResponse> {
    return this.view(await this.interrupts.resolveOutsideRuns(principal.userId, interruptId, body));
  }

  private view(interrupt: Interrupt): InterruptResponse {
    return {
      id: interrupt.id,
      kind: interrupt.kind,
      status: statusAt(interrupt, this.clock.now()),
      threadId: interrupt.threadId,
      runId: interrupt.runId,
      toolCallId: interrupt.toolCallId,
      module: interrupt.module,
      method: interrupt.method,
      input: interrupt.input,
      inputHash: interrupt.inputHash,
      rule: interrupt.rule,
      message: interrupt.message,
      responseSchema: interrupt.responseSchema,
      response: interrupt.response,
      createdAt: interrupt.createdAt.toISOString(),
      expiresAt: interrupt.expiresAt.toISOString(),
      resolvedAt: interrupt.resolvedAt?.toISOString() ?? null,
    };
  }
}
