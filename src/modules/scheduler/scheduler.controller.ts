import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentPrincipal } from '../../auth/decorators.js';
import type { Principal } from '../../auth/principal.js';
import {
  ChangeScheduleBody,
  CreateScheduleBody,
  PageQuery,
  TaskIdParam,
} from './dto/schedule-input.dto.js';
import { FiringListOutput, ListSchedulesOutput, ScheduleView } from './dto/schedule-view.dto.js';
import { SchedulerReadingService } from './scheduler-reading.service.js';
import { SchedulerService } from './scheduler.service.js';

/** Tasks that the agent does for the person at set times, and their history (PROTOCOL §11, §13). */
@ApiTags('schedules')
@ApiBearerAuth()
@Controller('schedules')
export class SchedulerController {
  constructor(
    private readonly reading: SchedulerReadingService,
    private readonly scheduler: SchedulerService,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Make a scheduled task; that grants it to act for you' })
  @ApiCreatedResponse({ type: ScheduleView })
  create(@Body() body: CreateScheduleBody, @CurrentPrincipal() principal: Principal) {
    return this.scheduler.create(body, { kind: 'bearer', principal }, principal.timezone);
  }

  @Get()
  @ApiOperation({ summary: 'Scheduled tasks, the newest first' })
  @ApiOkResponse({ type: ListSchedulesOutput })
  list(@Query() query: PageQuery, @CurrentPrincipal() principal: Principal) {
    return this.reading.list(query, principal.userId);
  }

  @Get(':id')
  @ApiOperation({ summary: 'A scheduled task with its next times' })
  @ApiOkResponse({ type: ScheduleView })
  get(@Param() { id }: TaskIdParam, @CurrentPrincipal() principal: Principal) {
    return this.reading.item(id, principal.userId);
  }

  @Patch(':id')
  @ApiOperation({
    summary:
      'Change a scheduled task; another prompt or time, and switching it on, renews its grant',
  })
  @ApiOkResponse({ type: ScheduleView })
  change(
    @Param() { id }: TaskIdParam,
    @Body() body: ChangeScheduleBody,
    @CurrentPrincipal() principal: Principal,
  ) {
    return this.scheduler.change(id, body, { kind: 'bearer', principal });
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Take a scheduled task away; the run that it has under way ends' })
  @ApiNoContentResponse()
  async cancel(@Param() { id }: TaskIdParam, @CurrentPrincipal() principal: Principal) {
    await this.scheduler.cancel(principal.userId, id);
  }

  @Delete(':id/grant')
  @HttpCode(204)
  @ApiOperation({ summary: 'Take the grant of a task back: it stays, and does nothing any more' })
  @ApiNoContentResponse()
  async withdraw(@Param() { id }: TaskIdParam, @CurrentPrincipal() principal: Principal) {
    await this.scheduler.withdraw(principal.userId, id);
  }

  @Get(':id/runs')
  @ApiOperation({ summary: 'What became of the times of a task, the newest first' })
  @ApiOkResponse({ type: FiringListOutput })
  history(
    @Param() { id }: TaskIdParam,
    @Query() query: PageQuery,
    @CurrentPrincipal() principal: Principal,
  ) {
    return this.reading.history(id, query, principal.userId);
  }
}
