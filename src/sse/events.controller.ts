import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AcceptTicket, CurrentPrincipal } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { StewardError } from '../common/steward-error.js';
import { EventLog } from '../events/event-log.js';
import { ThreadService } from '../threads/thread.service.js';
import { StreamQuery } from './dto/stream-query.js';
import { SseStreamer } from './sse-streamer.js';
import { streamStart } from './stream-start.js';

/** The live stream of a thread (PROTOCOL §11, §12). */
@ApiTags('agent')
@ApiBearerAuth()
@Controller('agent/runs')
export class EventsController {
  constructor(
    private readonly threads: ThreadService,
    private readonly log: EventLog,
    private readonly streamer: SseStreamer,
  ) {}

  /** Every event after the given id, then those to come, until a run ends and nothing follows. */
  @Get(':threadId/events')
  @AcceptTicket('threadId')
  @ApiOperation({ summary: 'Stream the events of a thread' })
  @ApiProduces('text/event-stream')
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'Id of the last event seen' })
  @ApiOkResponse({ description: 'Server-sent events', schema: { type: 'string' } })
  @ApiNoContentResponse({ description: 'The last run has ended and nothing follows the given id' })
  async events(
    @Param('threadId') threadId: string,
    @Query() query: StreamQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.threads.require(threadId, principal.userId);
    const seen = seenId(lastEventId, query.after);
    const head = await this.log.head(threadId);
    const start = streamStart(seen, head, await this.log.lastRun(threadId));
    if (start === 'nothing') {
      response.status(204).end();
      return;
    }
    await this.streamer.stream(request, response, {
      threadId,
      after: start.after,
      encoding: query.encoding ?? 'app',
      ...(query.wire && { wire: query.wire }),
      ...(query.protocolVersion && { protocolVersion: query.protocolVersion }),
      userId: principal.userId,
      sessionId: principal.sessionId,
    });
  }
}

/** The header goes before the query: EventSource reconnects to the address it was given. */
function seenId(header: string | undefined, query: string | undefined): number | null {
  const text = header?.trim() || query;
  if (text === undefined) return null;
  if (!/^\d{1,15}$/.test(text)) {
    throw new StewardError('INVALID_ACTION_INPUT', 'Last-Event-ID is not valid.', {
      issues: [
        { path: 'Last-Event-ID', message: 'must be the id of an event', expected: 'integer' },
      ],
    });
  }
  return Number(text);
}
