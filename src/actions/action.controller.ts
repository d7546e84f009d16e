import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal } from '../auth/decorators.js';
import type { Principal } from '../auth/principal.js';
import type { ToolResultFacts } from '../events/run-event.js';
import { ActionDto } from './action.dto.js';
import { ActionService } from './action.service.js';

/** `POST /agent/actions`: a button of a card (PROTOCOL §8, §11). */
@ApiTags('agent')
@ApiBearerAuth()
@Controller('agent/actions')
export class ActionController {
  constructor(private readonly actions: ActionService) {}

  /** 200 for every outcome of the call; `status` and `error` say which. */
  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: "Presses a card's button; answers what TOOL_CALL_RESULT would carry." })
  @ApiOkResponse({
    schema: {
      type: 'object',
      required: ['callId', 'toolName', 'module', 'method', 'args', 'status', 'summary'],
      properties: {
        callId: { type: 'string' },
        toolName: { type: 'string' },
        module: { type: 'string' },
        method: { type: 'string' },
        args: { type: 'object' },
        status: { type: 'string', enum: ['success', 'partial', 'failure'] },
        result: { type: ['object', 'null'] },
        error: { type: ['object', 'null'] },
        summary: { type: 'string' },
        ui_schema: { type: ['array', 'null'], items: { type: 'object' } },
      },
    },
  })
  async press(
    @Body() body: ActionDto,
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ToolResultFacts> {
    const gone = new AbortController();
    const onClose = (): void => {
      if (!response.writableFinished) gone.abort();
    };
    response.once('close', onClose);
    try {
      return await this.actions.press(principal, body, gone.signal);
    } finally {
      response.off('close', onClose);
    }
  }
}
