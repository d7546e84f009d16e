import { AsyncLocalStorage } from 'node:async_hooks';

/** What the current work belongs to; stands in every line that it logs. */
export interface LogContext {
  requestId?: string | undefined;
  runId?: string | undefined;
  threadId?: string | undefined;
  toolCallId?: string | undefined;
}

const contexts = new AsyncLocalStorage<LogContext>();

/** Fields of the current work; none outside of any. */
export function logContext(): LogContext {
  return contexts.getStore() ?? {};
}

/** Runs `work` as work of its own: what its caller belongs to is not what it belongs to. */
export function inLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run(context, work);
}

/** Runs `work` as a part of the current work, with more known about it. */
export function addToLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run({ ...logContext(), ...context }, work);
}
