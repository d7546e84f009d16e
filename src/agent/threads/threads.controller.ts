import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentPrincipal } from '../../auth/decorators.js';
import type { Principal } from '../../auth/principal.js';
import { StewardError } from '../../common/steward-error.js';
import { EventLog } from '../../events/event-log.js';
import { OutputSweeper } from '../../output-storage/output-sweeper.js';
import { ThreadService } from '../../threads/thread.service.js';
import { RunRepository } from '../runs/run.repository.js';
import { ThreadsQuery, ThreadsResponse } from './threads.dto.js';

const PAGE = 20;

/** The caller's conversations (PROTOCOL §11). */
@ApiTags('agent')
@ApiBearerAuth()
@Controller('agent/threads')
export class ThreadsController {
  constructor(
    private readonly threads: ThreadService,
    private readonly runs: RunRepository,
    private readonly log: EventLog,
    private readonly sweeper: OutputSweeper,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the own threads, most recently used first' })
  @ApiOkResponse({ type: ThreadsResponse })
  async list(
    @Query() query: ThreadsQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<ThreadsResponse> {
    const { threads, nextCursor } = await this.threads.list(principal.userId, {
      limit: query.limit ?? PAGE,
      ...(query.cursor !== undefined && { cursor: query.cursor }),
    });
    const statuses = await this.runs.lastStatuses(threads.map(({ id }) => id));
    return {
      threads: threads.map(({ id, title, createdAt, updatedAt }) => {
        const lastRunStatus = statuses.get(id);
        return {
          threadId: id,
          title,
          createdAt: createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
          ...(lastRunStatus && { lastRunStatus }),
        };
      }),
      nextCursor,
    };
  }

  /** A thread with an active run is not deleted: cancel the run first. */
  @Delete(':threadId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a thread with everything in it; 409 while a run is active' })
  @ApiNoContentResponse()
  async delete(
    @Param('threadId') threadId: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    await this.threads.delete(threadId, principal.userId, async () => {
      if (await this.runs.findActive(threadId)) {
        throw new StewardError('RUN_ACTIVE', 'A run is active in this thread: cancel it first.');
      }
      await this.log.forget(threadId);
    });
    this.sweeper.soon();
  }
}
