import { Body, Controller, Headers, HttpCode, Ip, Post, Res } from '@nestjs/common';
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
import { RefusedCredentials } from '../auth/refused-credentials.js';
import { bearerToken } from '../common/bearer-token.js';
import { StewardError } from '../common/steward-error.js';
import { CredentialService } from '../credential/credential.service.js';
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
  constructor(
    private readonly gateway: ToolGateway,
    private readonly credentials: CredentialService,
    private readonly refused: RefusedCredentials,
  ) {}

  /**
   * Answers 200 with one document for every outcome of a call, denied and malformed ones included,
   * and 401 when the controlled credential is missing, invalid, expired or revoked; 429 instead once
   * the address has sent too many of those.
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
    @Ip() address: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CliDocument> {
    const credential = bearerToken(authorization);
    await this.assertWelcome(address, credential);
    const call: GatewayRequest = {
      ...parseContextHeader(contextHeader),
      credential,
      call: body ?? null,
      door: 'http',
      address,
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
      const limited = this.refused.refuse(address);
      if (limited) throw limited;
      response.status(401);
    }
    return document;
  }

  /** From an address that has sent too many bad credentials, only a call with a good one is looked at. */
  private async assertWelcome(address: string | undefined, credential: string | undefined) {
    const exhausted = this.refused.exhausted(address);
    if (!exhausted) return;
    await this.credentials.verify(credential).catch((error: unknown) => {
      throw error instanceof StewardError && error.code.startsWith('CREDENTIAL_')
        ? exhausted
        : error;
    });
  }
}
