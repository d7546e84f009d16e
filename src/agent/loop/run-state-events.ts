import type { NewRunEvent, RunStateSnapshot, StateOperation } from '../../events/run-event.js';

type Terminal = Extract<NewRunEvent, { type: 'RUN_FINISHED' | 'RUN_ERROR' }>;
type Progress = Partial<Omit<RunStateSnapshot['run'], 'id'>>;

/**
 * Tells AG-UI's state of a run beside the events that change it: a snapshot with the first, then
 * deltas (RFC 6902) that replace members of it. A run that ends before its first stage has a snapshot
 * alone, so a delta never meets the state of the run before. Pure.
 */
export class RunStateEvents {
  /** @param told whether the log has the run's snapshot already. */
  constructor(
    private readonly runId: string,
    private told: boolean,
  ) {}

  /** The events, with those of the state: behind a stage that begins, before the end. */
  with(events: readonly NewRunEvent[]): NewRunEvent[] {
    return events.flatMap((event) => {
      switch (event.type) {
        case 'STEP_STARTED':
          return [event, this.tell({ stage: event.stepName })];
        case 'RUN_FINISHED':
        case 'RUN_ERROR':
          return [this.tell({ stage: null, ...outcomeOf(event) }), event];
        default:
          return [event];
      }
    });
  }

  private tell(progress: Progress): NewRunEvent {
    if (this.told) {
      const delta = Object.entries(progress).map(([member, value]): StateOperation => ({
        op: 'replace',
        path: `/run/${member}`,
        value,
      }));
      return { type: 'STATE_DELTA', delta };
    }
    this.told = true;
    return snapshotOf(this.runId, progress);
  }
}

/** The state of a run that has ended, for clients of which nobody knows what state they were told. */
export function wholeState(runId: string, status: RunStateSnapshot['run']['status']): NewRunEvent {
  return snapshotOf(runId, { status });
}

function snapshotOf(id: string, progress: Progress): NewRunEvent {
  const run = {
    id,
    status: 'running' as const,
    stage: null,
    pendingApprovals: [],
    pendingCalls: [],
  };
  return { type: 'STATE_SNAPSHOT', snapshot: { run: { ...run, ...progress } } };
}

function outcomeOf(event: Terminal): Progress {
  if (event.type === 'RUN_ERROR') return { status: 'failed' };
  if (event.outcome === 'success') return { status: 'succeeded' };
  if (event.outcome === 'cancelled') return { status: 'cancelled' };
  const pendingCalls = (event.pendingCalls ?? []).map(({ toolCallId, name, expiresAt }) => ({
    toolCallId,
    name,
    expiresAt,
  }));
  const calls = pendingCalls.length > 0 && { pendingCalls };
  if (event.outcome === 'pending') return { status: 'waiting', ...calls };
  const pendingApprovals = event.interrupts.map(({ id, toolCallId, expiresAt, metadata }) => {
    const { kind, module, method } = metadata;
    return { id, kind, toolCallId, module, method, expiresAt };
  });
  return { status: 'waiting', pendingApprovals, ...calls };
}
