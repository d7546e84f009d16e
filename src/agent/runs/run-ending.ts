import { isErrorCode, type ErrorCode } from '../../common/error-codes.js';
import { DEFAULT_LOCALE, type Locale } from '../../common/locale.js';
import { StewardError } from '../../common/steward-error.js';
import type { NewRunEvent, TokenUsage } from '../../events/run-event.js';
import { text } from '../texts.js';
import type { FinalStatus } from './run-state.js';

/** How a run ends: its last state and its one terminal event (PROTOCOL §12). */
export interface Ending {
  status: FinalStatus;
  terminal: Extract<NewRunEvent, { type: 'RUN_FINISHED' | 'RUN_ERROR' }>;
  errorCode?: ErrorCode;
  usage: TokenUsage | null;
}

/** The process stops; each run says so in its own language. */
export class ShutdownError extends StewardError {
  constructor() {
    super('DEPENDENCY_UNAVAILABLE', text('shutdown', DEFAULT_LOCALE));
  }
}

/** The run did what it was asked. */
export function succeeded(threadId: string, usage: TokenUsage | null): Ending {
  return {
    status: 'succeeded',
    terminal: { type: 'RUN_FINISHED', threadId, outcome: 'success', usage },
    usage,
  };
}

/** Somebody cancelled the run. */
export function cancelled(threadId: string, usage: TokenUsage | null): Ending {
  return {
    status: 'cancelled',
    terminal: { type: 'RUN_FINISHED', threadId, outcome: 'cancelled', usage },
    usage,
  };
}

/**
 * How a run ends that threw `error`: CANCELLED is an end that somebody wished for, the other codes
 * are shown with their message, and what is not a StewardError is a fault of ours that says nothing
 * about itself.
 */
export function endingOf(
  error: unknown,
  threadId: string,
  usage: TokenUsage | null,
  locale: Locale,
): Ending {
  if (!(error instanceof StewardError) || !isErrorCode(error.code)) {
    return failed('INTERNAL', text('internal', locale), usage);
  }
  if (error.code === 'CANCELLED') return cancelled(threadId, usage);
  if (error instanceof ShutdownError) return failed(error.code, text('shutdown', locale), usage);
  return failed(error.code, error.message, usage);
}

function failed(code: ErrorCode, message: string, usage: TokenUsage | null): Ending {
  return {
    status: 'failed',
    terminal: { type: 'RUN_ERROR', message, code },
    errorCode: code,
    usage,
  };
}
