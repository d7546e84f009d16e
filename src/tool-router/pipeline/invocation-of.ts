import type { ExecutionContext } from '@nestjs/common';
import { StewardError } from '../../common/steward-error.js';
import { ToolInvocation } from '../tool-invocation.js';

/** Nest's context type of tool calls; enhancers of HTTP ask for it and stand aside. */
export const CLI_CONTEXT_TYPE = 'cli';

/**
 * The call that a guard, decorator or interceptor works on.
 * @throws StewardError INTERNAL when a `@CliMethod` was reached by another way than the router.
 */
export function invocationOf(context: ExecutionContext): ToolInvocation {
  const invocation: unknown = context.getArgByIndex(0);
  if (context.getType<string>() !== CLI_CONTEXT_TYPE || !(invocation instanceof ToolInvocation)) {
    throw new StewardError('INTERNAL', 'A tool method can only be called through the router.');
  }
  return invocation;
}
