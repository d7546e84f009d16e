import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Logger, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { StewardError } from '../common/steward-error.js';
import { DataExport } from './data-export.js';

const RETRY_AFTER_MS = 30_000;

/** The own data, to take along. */
@ApiTags('auth')
@ApiBearerAuth()
@Controller('auth')
export class DataExportController {
  private readonly logger = new Logger(DataExportController.name);
  /** Users with an export under way in this process. */
  private readonly underWay = new Set<string>();

  constructor(private readonly data: DataExport) {}

  /** JSON lines: first a manifest, last the counts; without the last line it is not whole. */
  @Get('me/export')
  @ApiOperation({ summary: 'Stream everything of the own account as JSON lines' })
  @ApiProduces('application/x-ndjson')
  @ApiOkResponse({ description: 'JSON lines', schema: { type: 'string' } })
  async export(
    @CurrentPrincipal() { userId }: Principal,
    @Res() response: Response,
  ): Promise<void> {
    if (this.underWay.has(userId)) {
      throw new StewardError('RATE_LIMITED', 'An export is under way already.', {
        retryAfterMs: RETRY_AFTER_MS,
      });
    }
    this.underWay.add(userId);
    try {
      await this.data.record(userId);
      response.status(200).set({
        'Content-Type': 'application/x-ndjson; charset=utf-8',
        'Content-Disposition': 'attachment; filename="steward-export.ndjson"',
        'Cache-Control': 'no-store',
      });
      await this.send(userId, response);
    } finally {
      this.underWay.delete(userId);
    }
  }

  /** Once it has begun, an error ends the answer early: its last line is missing. */
  private async send(userId: string, response: Response): Promise<void> {
    try {
      await pipeline(Readable.from(this.data.lines(userId)), response);
    } catch (error) {
      if (!response.destroyed) response.destroy();
      this.logger.warn(`An export ended early: ${String(error)}`);
    }
  }
}
