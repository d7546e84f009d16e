import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentPrincipal } from '../../auth/decorators.js';
import type { Principal } from '../../auth/principal.js';
import { CalendarInvitationsService } from './calendar-invitations.service.js';
import { CalendarReadingService } from './calendar-reading.service.js';
import { callerOf } from './calendar.caller.js';
import { CalendarService } from './calendar.service.js';
import {
  AnswerInviteBody,
  CreateEventsInput,
  DeleteEventQuery,
  EventChanges,
  EventIdInput,
} from './dto/event-input.dto.js';
import { EventPageView, EventView, ReadEventsOutput } from './dto/event-view.dto.js';
import {
  CreateEventsOutput,
  DeleteEventOutput,
  InvitationAnswerOutput,
  ShareEventOutput,
  UpdateEventOutput,
} from './dto/write-output.dto.js';
import { CalendarPageQuery, ListEventsQuery } from './dto/read-input.dto.js';
import { ShareEventBody } from './dto/share-input.dto.js';

/** REST twin of the calendar's methods, for people and apps (PROTOCOL §11). */
@ApiTags('calendar')
@ApiBearerAuth()
@Controller('calendar')
export class CalendarController {
  constructor(
    private readonly reading: CalendarReadingService,
    private readonly calendar: CalendarService,
    private readonly sharing: CalendarInvitationsService,
  ) {}

  @Get('events')
  @ApiOperation({
    summary: 'Events of a day (date), of a range (start_at, end_at), or of the coming 30 days',
  })
  @ApiOkResponse({ type: ReadEventsOutput })
  list(@Query() query: ListEventsQuery, @CurrentPrincipal() principal: Principal) {
    return this.reading.list(query, callerOf(principal));
  }

  @Get('events/:event_id')
  @ApiOperation({ summary: 'One event' })
  @ApiOkResponse({ type: EventView })
  get(@Param() { event_id }: EventIdInput, @CurrentPrincipal() principal: Principal) {
    return this.reading.get(event_id, callerOf(principal));
  }

  @Post('events')
  @ApiOperation({ summary: 'Create one event, or several with `events`' })
  @ApiCreatedResponse({ type: CreateEventsOutput })
  create(@Body() body: CreateEventsInput, @CurrentPrincipal() principal: Principal) {
    return this.calendar.create(body, callerOf(principal));
  }

  @Patch('events/:event_id')
  @ApiOperation({ summary: 'Change the given fields of an event' })
  @ApiOkResponse({ type: UpdateEventOutput })
  update(
    @Param() { event_id }: EventIdInput,
    @Body() body: EventChanges,
    @CurrentPrincipal() principal: Principal,
  ) {
    return this.calendar.update({ ...body, event_id }, callerOf(principal));
  }

  @Delete('events/:event_id')
  @ApiOperation({ summary: 'Delete an own event, or as much of a series as scope says' })
  @ApiOkResponse({ type: DeleteEventOutput })
  delete(
    @Param() { event_id }: EventIdInput,
    @Query() query: DeleteEventQuery,
    @CurrentPrincipal() principal: Principal,
  ) {
    return this.calendar.delete({ ...query, event_id }, callerOf(principal));
  }

  @Post('events/:event_id/share')
  @HttpCode(200)
  @ApiOperation({ summary: 'Invite users by email; each has an outcome of its own' })
  @ApiOkResponse({ type: ShareEventOutput })
  share(
    @Param() { event_id }: EventIdInput,
    @Body() body: ShareEventBody,
    @CurrentPrincipal() principal: Principal,
  ) {
    return this.sharing.share({ ...body, event_id }, callerOf(principal));
  }

  @Post('events/:event_id/accept')
  @HttpCode(200)
  @ApiOperation({ summary: 'Accept an invitation' })
  @ApiOkResponse({ type: InvitationAnswerOutput })
  accept(
    @Param() { event_id }: EventIdInput,
    @Body() body: AnswerInviteBody,
    @CurrentPrincipal() principal: Principal,
  ) {
    return this.sharing.answer({ ...body, event_id }, 'accepted', callerOf(principal));
  }

  @Post('events/:event_id/reject')
  @HttpCode(200)
  @ApiOperation({ summary: 'Reject an invitation, or leave an accepted event' })
  @ApiOkResponse({ type: InvitationAnswerOutput })
  reject(
    @Param() { event_id }: EventIdInput,
    @Body() body: AnswerInviteBody,
    @CurrentPrincipal() principal: Principal,
  ) {
    return this.sharing.answer({ ...body, event_id }, 'rejected', callerOf(principal));
  }

  @Get('invitations')
  @ApiOperation({ summary: 'Invitations that wait for an answer, newest first' })
  @ApiOkResponse({ type: EventPageView })
  invitations(@Query() query: CalendarPageQuery, @CurrentPrincipal() principal: Principal) {
    return this.reading.invitations(query, callerOf(principal));
  }
}
