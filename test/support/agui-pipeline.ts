import { enforceEvents, transformChunks, verifyEvents } from '@ag-ui/client';
import { from as observableOf } from 'rxjs';

type Source = Parameters<ReturnType<typeof enforceEvents>>[0];
type AguiEvent = { type: string } & Record<string, unknown>;

/**
 * What AG-UI 1.0's own pipeline (`enforceEvents → transformChunks → verifyEvents`) has against a
 * stream, warnings and errors; empty when nothing. A stream that does not begin with RUN_STARTED goes
 * on after an id, and is judged from its first RUN_STARTED on. The pipeline has nothing against a stream
 * that breaks off: that a run has not ended is found here.
 */
export function pipelineFaults(stream: readonly AguiEvent[]): string[] {
  const first = stream.findIndex(({ type }) => type === 'RUN_STARTED');
  const events = first === -1 ? [] : stream.slice(first).map(withoutAppMembers);
  const faults: string[] = [];
  const { warn, error } = console;
  // The pipeline is synchronous, so nobody else's words are taken for its own.
  const note = (...words: unknown[]) => faults.push(words.join(' '));
  Object.assign(console, { warn: note, error: note });
  let passed = 0;
  try {
    verifyEvents()(
      transformChunks()(enforceEvents()(observableOf(events) as unknown as Source)),
    ).subscribe({
      next: () => {
        passed += 1;
      },
      error: (fault: unknown) => faults.push(String(fault)),
    });
  } finally {
    Object.assign(console, { warn, error });
  }
  if (faults.length === 0 && passed !== events.length) {
    faults.push(`${events.length - passed} events did not come through`);
  }
  const last = stream.at(-1);
  if (last && !isTerminal(last)) faults.push(`it breaks off after ${last.type}`);
  return faults;
}

function isTerminal({ type }: AguiEvent): boolean {
  return type === 'RUN_FINISHED' || type === 'RUN_ERROR';
}

/** Members that the `app` encoding adds to events (PROTOCOL §12); of the others nothing may be odd. */
const APP_MEMBERS: Record<string, readonly string[]> = {
  RUN_STARTED: ['message', 'resumedFrom'],
  RUN_FINISHED: ['interrupts', 'pendingCalls', 'usage'],
  RUN_ERROR: ['usage'],
  TOOL_CALL_START: ['client'],
  TOOL_CALL_RESULT:
    'callId toolName module method args status result error summary ui_schema ui degraded'.split(
      ' ',
    ),
};

/** An event of the `app` encoding as AG-UI has it; one of the `agui` encoding as it is. */
function withoutAppMembers(event: AguiEvent): AguiEvent {
  const { type, outcome, interrupts, runId } = event;
  const ofRun = type === 'RUN_STARTED' || type === 'RUN_FINISHED';
  const app = ofRun ? !('metadata' in event) : runId !== undefined;
  if (!app) return event;
  const added = new Set([...(APP_MEMBERS[type] ?? []), ...(ofRun ? [] : ['runId'])]);
  const kept = Object.entries(event).filter(([member]) => !added.has(member));
  return {
    ...Object.fromEntries(kept),
    type,
    ...(outcome !== undefined && {
      // What a client has to do itself leaves a run a success to AG-UI.
      outcome: {
        type: outcome === 'pending' ? 'success' : outcome,
        ...(interrupts ? { interrupts } : {}),
      },
    }),
  };
}
