import { Injectable, UseGuards, UseInterceptors } from '@nestjs/common';
import type { JsonObject, JsonValue } from '../../common/json.js';
import { StewardError } from '../../common/steward-error.js';
import { CliInput, CliInvocation } from '../parameters.js';
import type { PartialResult } from '../partial-result.js';
import { ToolInvocation } from '../tool-invocation.js';
import { PostProcessor } from './post-processor.interceptor.js';
import { WhitelistGuard } from './whitelist.guard.js';

/**
 * The one Nest method through which every method of a dynamic provider runs, so that it meets the
 * same guard, pipe and post-processor as a decorated one (PROTOCOL §15).
 */
@Injectable()
export class DynamicHandler {
  @UseGuards(WhitelistGuard)
  @UseInterceptors(PostProcessor)
  async run(
    @CliInput() input: JsonObject,
    @CliInvocation() invocation: ToolInvocation,
  ): Promise<JsonValue | PartialResult> {
    const { registration, descriptor } = invocation.capability;
    if (!('handler' in registration)) {
      throw new StewardError('INTERNAL', `${descriptor.id} has no handler.`);
    }
    return registration.handler(input, invocation.context);
  }
}
