import {
  Body,
  Controller,
  Get,
  Headers,
  Inject,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBearerAuth,
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentPrincipal } from '../../auth/decorators.js';
import type { Principal } from '../../auth/principal.js';
import { StewardError } from '../../common/steward-error.js';
import { APP_CONFIG, type AppConfig } from '../../config/app-config.js';
import { SseStreamer } from '../../sse/sse-streamer.js';
import { findCredential } from '../../tool-output/credential-scan.js';
import { credentialInInput } from '../../tool-router/credential-in-input.js';
import { AGUI_INPUT_SCHEMA } from './dto/agui-input.schema.js';
import { CreateRunQuery } from './dto/create-run.query.js';
import { CreateRunRequest } from './dto/create-run.request.js';
import { ResumeAnswer, ResumeRunRequest, ToolResultAnswer } from './dto/resume-run.request.js';
import { RunAcceptedResponse, RunResponse, RunStatusResponse } from './dto/run.response.js';
import { readRunRequest } from './requests/read-run-request.js';
import type { RunRequest } from './requests/run-request.js';
import { isFinal } from './run-state.js';
import { RunService, type CreatedRun } from './run.service.js';

const EVENT_STREAM = 'text/event-stream';

/** Runs: create, look at, cancel (PROTOCOL §11). */
@ApiTags('agent')
@ApiBearerAuth()
@Controller('agent/runs')
export class RunsController {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly runs: RunService,
    private readonly streamer: SseStreamer,
  ) {}

  /**
   * The body is read by hand: AG-UI clients of two versions send members that the strict pipe of
   * other routes would refuse.
   */
  @Post()
  @ApiOperation({
    summary:
      'Say something to the agent, or answer what it waits for; streams the run with Accept: text/event-stream',
  })
  @ApiExtraModels(CreateRunRequest, ResumeRunRequest, ResumeAnswer, ToolResultAnswer)
  @ApiBody({
    schema: {
      oneOf: [
        { $ref: getSchemaPath(CreateRunRequest) },
        { $ref: getSchemaPath(ResumeRunRequest) },
        AGUI_INPUT_SCHEMA,
      ],
    },
  })
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: '1 to 255 characters' })
  @ApiHeader({
    name: 'X-Run-On-Disconnect',
    required: false,
    description: 'cancel: leaving the stream cancels the run; continue: it goes on',
  })
  @ApiAcceptedResponse({ type: RunAcceptedResponse })
  @ApiOkResponse({ description: 'Server-sent events', content: { [EVENT_STREAM]: {} } })
  async create(
    @Body() body: unknown,
    @Query() query: CreateRunQuery,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Headers('x-run-on-disconnect') onDisconnect: string | undefined,
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const key = readKey(idempotencyKey);
    const cancels = readDisconnect(onDisconnect, this.config.RUN_ON_DISCONNECT);
    const input = await readRunRequest(body);
    const streams = request.accepts(['application/json', EVENT_STREAM]) === EVENT_STREAM;
    // A stream that is refused leaves no run behind.
    const place = streams ? this.streamer.reserve(principal.userId) : null;
    try {
      const created = await this.runs.create(principal, input, key);
      response.set('Location', `/api/v1/agent/runs/${encodeURIComponent(created.run.id)}`);
      if (place) await this.stream(request, response, { created, input, query, cancels, place });
      else response.status(202).json(RunAcceptedResponse.of(created.run));
    } finally {
      place?.();
    }
  }

  @Get(':runId')
  @ApiOperation({ summary: 'A run and what became of it' })
  @ApiOkResponse({ type: RunResponse })
  async find(
    @Param('runId') runId: string,
    @CurrentPrincipal() principal: Principal,
  ): Promise<RunResponse> {
    return RunResponse.of(await this.runs.require(principal.userId, runId));
  }

  @Post(':runId/cancel')
  @ApiOperation({ summary: 'Cancel a run; 202 while it is on its way to its end' })
  @ApiOkResponse({ type: RunStatusResponse })
  @ApiAcceptedResponse({ type: RunStatusResponse })
  async cancel(
    @Param('runId') runId: string,
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RunStatusResponse> {
    const status = await this.runs.cancel(principal.userId, runId);
    response.status(isFinal(status) ? 200 : 202);
    return { runId, status };
  }

  private async stream(
    request: Request,
    response: Response,
    options: {
      created: CreatedRun;
      input: RunRequest;
      query: CreateRunQuery;
      cancels: boolean;
      place: () => void;
    },
  ): Promise<void> {
    const { created, input, query, cancels, place } = options;
    const { run, startEventId, isNew } = created;
    const protocolVersion = query.protocolVersion ?? input.protocolVersion;
    const end = await this.streamer
      .stream(request, response, {
        threadId: run.threadId,
        after: startEventId - 1,
        encoding: query.encoding ?? 'agui',
        ...(query.wire && { wire: query.wire }),
        ...(protocolVersion && { protocolVersion }),
        untilTerminalOf: run.id,
        answered: new Set(Object.keys(run.answerIds ?? {})),
        place,
      })
      .catch(async (error: unknown) => {
        // The client is told that its request failed, so nothing may go on behind its back; a run
        // of an earlier request is that one's.
        if (isNew) await this.runs.cancel(run.userId, run.id);
        throw error;
      });
    if (end === 'client_left' && cancels && isNew) await this.runs.cancel(run.userId, run.id);
  }
}

/** @throws StewardError INVALID_ACTION_INPUT, CREDENTIAL_IN_INPUT. */
function readKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (findCredential(header)) throw credentialInInput('Idempotency-Key');
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header;
  throw invalidHeader('Idempotency-Key', '1 to 255 printable ASCII characters');
}

/** @throws StewardError INVALID_ACTION_INPUT. */
function readDisconnect(header: string | undefined, fallback: string): boolean {
  const wish = header ?? fallback;
  if (wish === 'cancel' || wish === 'continue') return wish === 'cancel';
  throw invalidHeader('X-Run-On-Disconnect', 'cancel or continue');
}

function invalidHeader(path: string, expected: string): StewardError {
  return new StewardError('INVALID_ACTION_INPUT', `The header ${path} is not valid.`, {
    issues: [{ path, message: `must be ${expected}`, expected }],
  });
}
