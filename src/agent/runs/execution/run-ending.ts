import { isErrorCode, type ErrorCode } from '../../../common/error-codes.js';
import type { Locale } from '../../../common/locale.js';
import { StewardError } from '../../../common/steward-error.js';
import type { NewRunEvent, RunOutcome, TokenUsage } from '../../../events/run-event.js';
import { toPendingCall } from '../../../tool-router/client-tools/handed-out-call.js';
import type { CountedCalls } from '../../loop/call-guard.js';
import type { Asked } from '../../loop/turn-calls.js';
import { text } from '../../texts.js';
import { askingCall, handedOutCalls, toOpenCall, type OpenCall } from '../open-call.js';
import type { FinalStatus } from '../run-state.js';
import type { Run } from '../run.js';

export type TerminalEvent = Extract<NewRunEvent, { type: 'RUN_FINISHED' | 'RUN_ERROR' }>;

/** How the events of a run end: its state from there on, and its one terminal event (PROTOCOL §12). */
export type Ending = {
  terminal: TerminalEvent;
  errorCode?: ErrorCode;
  usage: TokenUsage | null;
} & (
  | { status: FinalStatus; waits?: undefined }
  /** `until`: when what was asked expires. */
  | { status: 'waiting'; waits: { openCalls: OpenCall[]; until: Date; counted: CountedCalls } }
);

/** The ending of a run that is gone on with by nobody. */
export type Ended = Extract<Ending, { status: FinalStatus }>;

/** The run did what it was asked. */
export function succeeded(threadId: string, usage: TokenUsage | null): Ending {
  return {
    status: 'succeeded',
    terminal: { type: 'RUN_FINISHED', threadId, outcome: 'success', usage },
    usage,
  };
}

/** A call has asked the person: the run says its last and waits. */
export function waiting(
  threadId: string,
  usage: TokenUsage | null,
  { interrupt, open, counted }: Asked,
  locale: Locale,
): Ending {
  const openCalls = open.map((call) => toOpenCall(call, locale));
  const pendingCalls = handedOutCalls(openCalls).map(({ id, handedOut }) =>
    toPendingCall(id, handedOut),
  );
  const ends = [...pendingCalls, ...(interrupt ? [interrupt] : [])].map(({ expiresAt }) =>
    Date.parse(expiresAt),
  );
  const outcome: RunOutcome = interrupt
    ? {
        outcome: 'interrupt',
        interrupts: [interrupt],
        ...(pendingCalls.length > 0 && { pendingCalls }),
      }
    : { outcome: 'pending', pendingCalls };
  return {
    status: 'waiting',
    terminal: { type: 'RUN_FINISHED', threadId, usage, ...outcome },
    usage,
    waits: { openCalls, until: new Date(Math.min(...ends)), counted },
  };
}

/** Code of a run that waited, and nobody answered in time what it waits for. */
export function unansweredCode({ openCalls }: Pick<Run, 'openCalls'>): ErrorCode {
  return askingCall(openCalls ?? []) ? 'APPROVAL_EXPIRED' : 'TIMEOUT';
}

/** Nobody answered in time what the run waits for. */
export function unanswered(run: Pick<Run, 'openCalls' | 'locale'>): Ended {
  return failed(unansweredCode(run), text('unanswered', run.locale), null);
}

/** Somebody cancelled the run. */
export function cancelled(threadId: string, usage: TokenUsage | null): Ended {
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
): Ended {
  if (!(error instanceof StewardError) || !isErrorCode(error.code)) {
    return failed('INTERNAL', text('internal', locale), usage);
  }
  if (error.code === 'CANCELLED') return cancelled(threadId, usage);
  return failed(error.code, error.message, usage);
}

function failed(code: ErrorCode, message: string, usage: TokenUsage | null): Ended {
  return {
    status: 'failed',
    terminal: { type: 'RUN_ERROR', message, code, ...(usage && { usage }) },
    errorCode: code,
    usage,
  };
}
