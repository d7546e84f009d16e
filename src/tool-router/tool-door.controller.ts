import { Body, Controller, Headers, HttpCode, Post, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../auth/decorators.js';
import { CONTEXT_HEADER, parseContextHeader } from './call-context-header.js';
import { toCliDocument, type CliDocument } from './cli-document.js';
import { ToolGateway, type GatewayRequest } from './tool-gateway.js';

const DOCUMENT_SCHEMA = {
  type: 'object',
  required: ['ok', 'status', 'module', 'method'],
  properties: {
    ok: { type: 'boolean' },
    status: { type: 'string', enum: ['success', 'partial', 'failure'] },
    module: { type: 'string' },
    method: { type: 'string' },
    data: { description: 'Present when ok is true.' },
    error: {
      type: 'object',
      description: 'Present when ok is false: code, message, module, method, retryable.',
    },
  },
};

const CALL_SCHEMA = {
  type: 'object',
  required: ['module', 'method'],
  additionalProperties: false,
  properties: {
    module: { type: 'string', example: 'help' },
    method: { type: 'string', example: 'methods' },
    input: { type: 'object', example: {} },
  },
};

/** The HTTP door of project_cli (PROTOCOL §3, §11); `project-cli` uses it too. */
@ApiTags('tools')
@Controller('tools')
export class ToolDoorController {
  constructor(private readonly gateway: ToolGateway) {}

  /**
   * Answers 200 with one document for every outcome of a call, denied and malformed ones included,
   * and 401 when the controlled credential is missing, invalid, expired or revoked.
   */
  @Post('project_cli')
  @HttpCode(200)
  @Public()
  @ApiBearerAuth('credential')
  @ApiOperation({ summary: 'Executes one call of project_cli under a controlled credential.' })
  @ApiHeader({
    name: 'X-Project-Cli-Context',
    required: false,
    description: 'JSON: run_id, tool_call_id, locale, timezone.',
  })
  @ApiBody({ schema: CALL_SCHEMA })
  @ApiOkResponse({ schema: DOCUMENT_SCHEMA })
  @ApiUnauthorizedResponse({ schema: DOCUMENT_SCHEMA })
  async call(
    @Body() body: unknown,
    @Headers('authorization') authorization: string | undefined,
    @Headers(CONTEXT_HEADER) contextHeader: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CliDocument> {
    const call: GatewayRequest = {
      ...parseContextHeader(contextHeader),
      credential: bearerOf(authorization),
      call: body ?? null,
      door: 'http',
    };
    const gone = new AbortController();
    const onClose = (): void => {
      if (!response.writableFinished) gone.abort();
    };
    response.once('close', onClose);
    const record = await this.gateway.invoke(call, gone.signal);
    response.off('close', onClose);
    const document = toCliDocument(record);
    if (
      record.error?.code.startsWith('CREDENTIAL_') &&
      record.error.code !== 'CREDENTIAL_IN_INPUT'
    ) {
      response.status(401);
    }
    return document;
  }
}

/** The token of `Authorization: Bearer x`; other schemes carry no credential. */
function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}
