import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { StewardError } from '../common/steward-error.js';
import type { WireEvent } from '../events/encode-agui.js';
import { HistoryQuery, ThreadHistoryQuery } from './dto/history-query.js';
import { HistoryResponse } from './dto/history-response.js';
import { HistoryService } from './history.service.js';

/** Replay of stored conversations (PROTOCOL §11). */
@ApiTags('agent')
@ApiBearerAuth()
@Controller('agent')
export class HistoryController {
  constructor(private readonly history: HistoryService) {}

  /** The newest items of a thread, oldest first; `nextCursor` leads to those before. */
  @Get('runs/:threadId/history')
  @ApiOperation({ summary: 'History of a thread' })
  @ApiOkResponse({ type: HistoryResponse })
  ofThread(
    @Param('threadId') threadId: string,
    @Query() { encoding, ...query }: ThreadHistoryQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<HistoryResponse | WireEvent> {
    if (encoding === 'agui') {
      if (query.cursor !== undefined) throw pageless();
      return this.history.snapshot(principal.userId, threadId);
    }
    return this.history.page(principal.userId, { ...query, threadId });
  }

  /** The same of `threadId`, or of the thread that the caller used last. */
  @Get('history')
  @ApiOperation({ summary: 'History of the most recent thread' })
  @ApiOkResponse({ type: HistoryResponse })
  latest(
    @Query() query: HistoryQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<HistoryResponse> {
    return this.history.page(principal.userId, query);
  }
}

function pageless(): StewardError {
  return new StewardError('INVALID_ACTION_INPUT', 'A snapshot has no pages.', {
    issues: [{ path: 'cursor', message: 'goes with encoding=app only' }],
  });
}
