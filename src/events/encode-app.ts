import type { AppEvent } from './app-event.js';
import type { LoggedEvent } from './run-event.js';

/**
 * An event in the `app` encoding (PROTOCOL §12): AG-UI's members, and those that our own clients
 * want, flat. Every event names its run. `older` adds to TOOL_CALL_RESULT the name `ui` for
 * `ui_schema` and puts the summary in `content`, as clients of `wire=v1` read it.
 */
export function encodeApp({ runId, event }: LoggedEvent, older: boolean): AppEvent {
  switch (event.type) {
    case 'TEXT_MESSAGE_START':
      return { ...event, runId, role: 'assistant' };
    case 'REASONING_MESSAGE_START':
      return { ...event, runId, role: 'reasoning' };
    case 'TEXT_MESSAGE_END': {
      const { interrupted, ...members } = event;
      return { ...members, runId, ...(interrupted && { metadata: { interrupted } }) };
    }
    case 'TOOL_CALL_RESULT': {
      const { tool, stored: _stored, ...members } = event;
      const { ui_schema: schema, ...facts } = tool;
      const ui = schema === null ? {} : { ui_schema: schema };
      const encoded = { ...members, runId, role: 'tool' as const, ...facts, ...ui };
      if (!older) return encoded;
      return { ...encoded, content: tool.summary, ...(schema !== null && { ui: schema }) };
    }
    case 'RUN_FINISHED': {
      const { usage, ...members } = event;
      return { ...members, runId, ...(usage && { usage }) };
    }
    default:
      return { ...event, runId };
  }
}
