import type { LoggedEvent, RunOutcome, ToolResultFacts } from './run-event.js';

/** Version that RUN_STARTED declares to clients that declared theirs. */
export const AGUI_PROTOCOL_VERSION = '1.0';

/** An event in a wire form, ready to be JSON; no member is undefined unless it is to be absent. */
export type WireEvent = { type: string; timestamp: number } & Record<string, unknown>;

/**
 * An event as strict AG-UI (PROTOCOL §12). What AG-UI has no member for stands in `metadata`, which
 * 0.0.59 knows too and stock clients keep. `protocolVersion`, `outcome` and `usage` go to clients
 * that say 1.0 only: 0.0.59 refuses the outcome `cancelled`. It knows `interrupt`, and no client may
 * take a run that waits for one that is done. No member is null.
 */
export function encodeAgui({ runId, event }: LoggedEvent, newer: boolean): WireEvent {
  switch (event.type) {
    case 'RUN_STARTED': {
      const { type, timestamp, threadId, message, resumedFrom } = event;
      const version = newer ? { protocolVersion: AGUI_PROTOCOL_VERSION } : {};
      const metadata = { ...(message && { message }), ...(resumedFrom && { resumedFrom }) };
      return { type, timestamp, threadId, runId, ...version, metadata };
    }
    case 'RUN_FINISHED': {
      const { type, timestamp, threadId, usage } = event;
      const members = {
        ...((newer || event.outcome === 'interrupt') && { outcome: outcomeOf(event) }),
        ...(newer && usage && { usage: usage.models ?? [usage] }),
      };
      const pendingCalls = 'pendingCalls' in event ? event.pendingCalls : undefined;
      const metadata = { outcome: event.outcome, ...(pendingCalls && { pendingCalls }) };
      return { type, timestamp, threadId, runId, ...members, metadata };
    }
    case 'RUN_ERROR': {
      const { usage, ...members } = event;
      return { ...members, ...(newer && usage && { usage: usage.models ?? [usage] }) };
    }
    case 'TOOL_CALL_START': {
      const { client, ...members } = event;
      return { ...members, ...(client && { metadata: { client } }) };
    }
    case 'TEXT_MESSAGE_START':
      return { ...event, role: 'assistant' };
    case 'REASONING_MESSAGE_START':
      return { ...event, role: 'reasoning' };
    case 'TEXT_MESSAGE_END': {
      const { interrupted, ...members } = event;
      return { ...members, ...(interrupted && { metadata: { interrupted } }) };
    }
    case 'TOOL_CALL_RESULT': {
      const { tool, stored: _stored, degraded, ...members } = event;
      const metadata = { ...toolMembers(tool), ...(degraded && { degraded }) };
      return { ...members, role: 'tool', metadata };
    }
    default:
      return { ...event };
  }
}

/** A run that its client has to go on with is a success to AG-UI: the application decides whether it does. */
function outcomeOf(event: RunOutcome): object {
  switch (event.outcome) {
    case 'interrupt':
      return { type: 'interrupt', interrupts: event.interrupts };
    case 'pending':
      return {
        type: 'success',
        pendingToolCallIds: event.pendingCalls.map(({ toolCallId }) => toolCallId),
      };
    default:
      return { type: event.outcome };
  }
}

/** The facts of a tool call as members; those that do not apply are absent. */
export function toolMembers(tool: ToolResultFacts): Record<string, unknown> {
  const { callId, toolName, module, method, args, status, result, error, summary } = tool;
  return {
    callId,
    toolName,
    module,
    method,
    args,
    status,
    ...(result && { result }),
    ...(error && { error }),
    summary,
    ...(tool.ui_schema && { ui_schema: tool.ui_schema }),
  };
}
