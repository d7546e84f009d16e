import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { Request, Response } from 'express';
import { CurrentPrincipal } from '../../../auth/decorators.js';
import type { Principal } from '../../../auth/principal.js';
import { callerOf } from '../calendar.caller.js';
import { invalidField } from '../calendar.errors.js';
import { EventIdInput } from '../dto/event-input.dto.js';
import { charsetIn } from './charset.js';
import { ExportIcsQuery } from './dto/export.dto.js';
import { ImportIcsBody, ImportReport, ImportUrlBody } from './dto/import.dto.js';
import { windowOf } from './export-window.js';
import { IcalExportService } from './ical-export.service.js';
import { IcalImportService } from './ical-import.service.js';
import { IcalUrlImportService } from './ical-url-import.service.js';

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';

/** iCalendar files in and out. Its paths come before `events/{event_id}`, which would match them. */
@ApiTags('calendar')
@ApiBearerAuth()
@Controller('calendar')
export class CalendarIcalController {
  constructor(
    private readonly importing: IcalImportService,
    private readonly remoteImporting: IcalUrlImportService,
    private readonly exporting: IcalExportService,
  ) {}

  @Post('import')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Import an iCalendar file (the body as text/calendar, or {ics}); repeating it changes nothing',
  })
  @ApiConsumes('text/calendar', 'application/json')
  @ApiBody({ type: ImportIcsBody })
  @ApiOkResponse({ type: ImportReport })
  import(
    @Body() body: unknown,
    @Req() request: Request,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ImportReport> {
    const caller = callerOf(principal);
    if (Buffer.isBuffer(body)) {
      const charset = charsetIn(request.headers['content-type']);
      return this.importing.import(body, caller, { charset });
    }
    return this.importing.import(Buffer.from(textOf(body), 'utf8'), caller);
  }

  @Post('import-url')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Import the iCalendar file at an address, once; repeating it takes what changed. Models cannot',
  })
  @ApiOkResponse({ type: ImportReport })
  importUrl(
    @Body() { url }: ImportUrlBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ImportReport> {
    return this.remoteImporting.import(url, callerOf(principal));
  }

  @Get('events/:event_id.ics')
  @Header('Content-Type', CALENDAR_TYPE)
  @ApiOperation({ summary: 'One event as an iCalendar file; a series with its overrides' })
  @ApiProduces('text/calendar')
  @ApiOkResponse({ schema: { type: 'string' } })
  async event(
    @Param() { event_id }: EventIdInput,
    @Res({ passthrough: true }) response: Response,
    @CurrentPrincipal() principal: Principal,
  ): Promise<string> {
    const { text } = await this.exporting.event(event_id, callerOf(principal));
    response.attachment('event.ics').type(CALENDAR_TYPE);
    return text;
  }

  @Get('export')
  @Header('Content-Type', CALENDAR_TYPE)
  @ApiOperation({
    summary: 'Own and accepted events as an iCalendar file: those of a range, or all',
  })
  @ApiProduces('text/calendar')
  @ApiOkResponse({ schema: { type: 'string' } })
  async export(
    @Query() query: ExportIcsQuery,
    @Res({ passthrough: true }) response: Response,
    @CurrentPrincipal() principal: Principal,
  ): Promise<string> {
    const caller = callerOf(principal);
    const { text } = await this.exporting.all(windowOf(query, caller.timezone), caller);
    response.attachment('calendar.ics').type(CALENDAR_TYPE);
    return text;
  }
}

/** @throws INVALID_ACTION_INPUT: the body has two forms, so the global pipe cannot judge it. */
function textOf(body: unknown): string {
  const value = plainToInstance(ImportIcsBody, body ?? {});
  if (!(value instanceof ImportIcsBody)) throw invalidField('ics', 'is missing.');
  const [fault] = validateSync(value, { whitelist: true, forbidNonWhitelisted: true });
  if (!fault) return value.ics;
  const [reason = 'is not valid'] = Object.values(fault.constraints ?? {});
  throw invalidField(fault.property, `${reason}.`, 'text/calendar body, or {"ics": text}');
}
