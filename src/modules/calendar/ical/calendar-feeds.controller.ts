import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Public } from '../../../auth/decorators.js';
import type { Principal } from '../../../auth/principal.js';
import { APP_CONFIG, type AppConfig } from '../../../config/app-config.js';
import { callerOf } from '../calendar.caller.js';
import { CALENDAR_TYPE } from './calendar-ical.controller.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import {
  CreateFeedBody,
  FeedIdInput,
  FeedListView,
  FeedTokenInput,
  FeedWithUrlView,
} from './dto/feed.dto.js';
import { notModified } from './not-modified.js';

/** Private subscription URLs for calendars on telephones and desks. */
@ApiTags('calendar')
@Controller('calendar/feeds')
export class CalendarFeedsController {
  constructor(
    private readonly feeds: CalendarFeedsService,
    @Inject(APP_CONFIG) private readonly config: AppConfig,
  ) {}

  @Post()
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Create a private subscription URL; it is shown this once' })
  @ApiCreatedResponse({ type: FeedWithUrlView })
  async create(
    @Body() body: CreateFeedBody,
    @Req() request: Request,
    @CurrentPrincipal() principal: Principal,
  ): Promise<FeedWithUrlView> {
    const { path, ...feed } = await this.feeds.create(body.name, callerOf(principal));
    const base = this.config.PUBLIC_URL ?? `${request.protocol}://${request.get('host') ?? ''}`;
    return { ...feed, url: `${base}/api/v1/${path}` };
  }

  @Get()
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Own subscription URLs, newest first; without what would open them' })
  @ApiOkResponse({ type: FeedListView })
  async list(@CurrentPrincipal() principal: Principal): Promise<FeedListView> {
    const items = await this.feeds.list(callerOf(principal));
    return { items, count: items.length };
  }

  @Delete(':feed_id')
  @HttpCode(204)
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Revoke a subscription URL' })
  @ApiNoContentResponse()
  revoke(
    @Param() { feed_id }: FeedIdInput,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    return this.feeds.revoke(feed_id, callerOf(principal));
  }

  @Get(':token.ics')
  @Public()
  @ApiSecurity({})
  @ApiOperation({ summary: 'The calendar behind a subscription URL, without a bearer token' })
  @ApiProduces('text/calendar')
  @ApiOkResponse({ schema: { type: 'string' } })
  async read(
    @Param() { token }: FeedTokenInput,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { text, etag, changedAt } = await this.feeds.serve(token);
    response
      .set('ETag', etag)
      .set('Last-Modified', changedAt.toUTCString())
      .set('Cache-Control', 'private, no-cache')
      .type(CALENDAR_TYPE);
    if (notModified(request.headers, etag, changedAt)) response.status(304).end();
    else response.send(text);
  }
}
