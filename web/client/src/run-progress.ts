import type { AppEvent, Interrupt, Notice, PendingCall, Stage } from './app-event.js';

/** A tool call that has no result yet. */
export interface OpenCall {
  toolCallId: string;
  /** Arguments as JSON, as far as they have come. */
  arguments: string;
}

/** Where a run is. */
export interface RunProgress {
  runId: string;
  status: 'running' | 'waiting' | 'succeeded' | 'cancelled' | 'failed';
  /** Null between stages and after the end. */
  stage: Stage | null;
  openCalls: OpenCall[];
  /** What holds the run up, until the model says something. */
  notice: Notice | null;
  /** What the run waits for; something in one of these exactly when `status` is `waiting`. */
  interrupts: Interrupt[];
  pendingCalls: PendingCall[];
  /** Set exactly when `status` is `failed`. */
  error: { code: string; message: string } | null;
}

/**
 * The progress after an event; `null` before the first run. It says what AG-UI's state of the run
 * says (`STATE_SNAPSHOT`, `STATE_DELTA`), and what is open besides.
 */
export function progressAfter(progress: RunProgress | null, event: AppEvent): RunProgress | null {
  if (event.type === 'RUN_STARTED') {
    return {
      runId: event.runId,
      status: 'running',
      stage: null,
      openCalls: [],
      notice: null,
      interrupts: [],
      pendingCalls: [],
      error: null,
    };
  }
  if (progress === null) return null;
  switch (event.type) {
    case 'CUSTOM':
      return { ...progress, notice: event };
    case 'TEXT_MESSAGE_START':
    case 'REASONING_START':
    // A text that broke off may go on in the message that is open already.
    case 'TEXT_MESSAGE_CONTENT':
    case 'REASONING_MESSAGE_CONTENT':
      return progress.notice === null ? progress : { ...progress, notice: null };
    case 'STEP_STARTED':
      return { ...progress, stage: event.stepName };
    case 'STEP_FINISHED':
      return { ...progress, stage: null };
    case 'TOOL_CALL_START': {
      const call = { toolCallId: event.toolCallId, arguments: '' };
      return { ...progress, notice: null, openCalls: [...progress.openCalls, call] };
    }
    case 'TOOL_CALL_ARGS': {
      const openCalls = progress.openCalls.map((call) =>
        call.toolCallId === event.toolCallId
          ? { ...call, arguments: call.arguments + event.delta }
          : call,
      );
      return { ...progress, openCalls };
    }
    case 'TOOL_CALL_RESULT': {
      const openCalls = progress.openCalls.filter((call) => call.toolCallId !== event.toolCallId);
      return { ...progress, openCalls };
    }
    case 'RUN_FINISHED': {
      if (event.outcome === 'interrupt' || event.outcome === 'pending') {
        return {
          ...progress,
          status: 'waiting',
          stage: null,
          notice: null,
          interrupts: event.outcome === 'interrupt' ? event.interrupts : [],
          pendingCalls: event.pendingCalls ?? [],
        };
      }
      const status = event.outcome === 'cancelled' ? 'cancelled' : 'succeeded';
      return { ...progress, status, stage: null, notice: null, openCalls: [] };
    }
    case 'RUN_ERROR': {
      const { code, message } = event;
      return {
        ...progress,
        status: 'failed',
        stage: null,
        openCalls: [],
        notice: null,
        error: { code, message },
      };
    }
    default:
      return progress;
  }
}
