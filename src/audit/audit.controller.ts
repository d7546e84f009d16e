import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal, RequireRole } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { AuditService } from './audit.service.js';
import { AuditExportQuery, AuditPageQuery, AuditPageView } from './dto/audit.dto.js';

const JSON_LINES = 'application/x-ndjson';

/** The audit, for admins (PROTOCOL §11). Nobody writes it over HTTP. */
@ApiTags('admin')
@ApiBearerAuth()
@RequireRole('admin')
@Controller('admin/audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @ApiOperation({ summary: 'Entries of the audit, newest first.' })
  @ApiOkResponse({ type: AuditPageView })
  page(@Query() query: AuditPageQuery): Promise<AuditPageView> {
    return this.audit.page(query);
  }

  /** A reader that is slow holds up nothing but its own export; without its `end` it is not whole. */
  @Get('export')
  @ApiOperation({
    summary: 'The audit as JSON lines, oldest first, to be checked with `audit verify --file`.',
  })
  @ApiProduces(JSON_LINES)
  @ApiOkResponse({ description: 'Lines of type audit, entry, seal and end.' })
  async export(
    @Query() { after, ...filter }: AuditExportQuery,
    @CurrentPrincipal() { userId }: Principal,
    @Res() response: Response,
  ): Promise<void> {
    const lines = await this.audit.export({ filter, after }, userId);
    response.setHeader('Content-Type', JSON_LINES);
    response.setHeader('Content-Disposition', 'attachment; filename="audit.jsonl"');
    response.setHeader('Cache-Control', 'no-store');
    // Either side's end ends the other; a reader who left is told nothing.
    await pipeline(Readable.from(withBreaks(lines)), response).catch(() => response.destroy());
  }
}

async function* withBreaks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}
