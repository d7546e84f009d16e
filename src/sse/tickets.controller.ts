import { Controller, Header, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import { StreamTickets } from '../auth/tickets/stream-tickets.js';
import { ThreadService } from '../threads/thread.service.js';
import { TicketResponse } from './dto/ticket.response.js';

/** Tickets for clients that cannot send headers, such as EventSource. */
@ApiTags('agent')
@ApiBearerAuth()
@Controller('agent/runs')
export class TicketsController {
  constructor(
    private readonly threads: ThreadService,
    private readonly tickets: StreamTickets,
  ) {}

  /** Each opens the stream once, within a minute: `GET …/events?ticket=`. */
  @Post(':threadId/events/ticket')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Get a ticket that opens the event stream of a thread once' })
  @ApiCreatedResponse({ type: TicketResponse })
  async issue(
    @Param('threadId') threadId: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<TicketResponse> {
    await this.threads.require(threadId, principal.userId);
    const { ticket, expiresAt } = await this.tickets.issue(principal, threadId);
    return { ticket, expiresAt: expiresAt.toISOString() };
  }
}
